/** Emits the system relations: plain data that imports nothing, since the catalog is built on it. */
import type { SystemManifest } from "../manifest/model.js";
import { header } from "./names.js";

/** The text of `system.ts`. */
export function emitSystem(manifests: readonly SystemManifest[]): string {
  const relations = manifests.flatMap((manifest) =>
    manifest.relations.map((relation) => ({
      schema: manifest.service,
      name: relation.name,
      description: relation.description,
      columns: relation.columns.map(({ name, type, nullable, description }) => ({ name, type, nullable, description })),
    })),
  );
  return `${header("system manifests")}
/** A system relation: data only, rows come from the program. */
export interface SystemRelation {
  readonly schema: string;
  readonly name: string;
  readonly description: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly nullable: boolean;
    readonly description: string;
  }[];
}

export const systemRelations: readonly SystemRelation[] = ${JSON.stringify(relations, null, 2)};
`;
}
