/** The checked form of a manifest: what the emitters work from. */

import type { JsonSchema } from "../../json-schema/schema.js";
import type { Template } from "../../resources/connectors/template.js";

/** A manifest after its checks. */
export type Manifest = ServiceManifest | SystemManifest;

interface ManifestBase {
  /** Path below the manifest folder, for headers of generated files. */
  readonly file: string;
  readonly service: string;
  readonly description: string;
}

/** A service whose resources are reached through a connector. */
export interface ServiceManifest extends ManifestBase {
  readonly kind: "service";
  readonly resources: readonly ResourceModel[];
}

/** Relations of the program itself: declared here, filled by code. */
export interface SystemManifest extends ManifestBase {
  readonly kind: "system";
  readonly relations: readonly {
    readonly name: string;
    readonly description: string;
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly nullable: boolean;
      readonly description: string;
    }[];
  }[];
}

/** One resource of a service. */
export interface ResourceModel {
  /** Name in the manifest: `entities`. */
  readonly name: string;
  /** Name of the table: `memory_entities`. */
  readonly table: string;
  readonly description: string;
  readonly volatility: "immutable" | "stable" | "volatile";
  readonly row: JsonSchema;
  readonly keys: readonly string[];
  readonly primaryKey: readonly string[];
  readonly verbs: Readonly<Partial<Record<"select" | "insert" | "update" | "delete", VerbModel>>>;
}

/** How one verb is carried out: the tool, what it is given, where its rows are. */
export interface VerbModel {
  readonly tool: string;
  readonly input?: Template;
  readonly rows?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Something wrong in a manifest, at a place: `manifests/memory.yaml:4:3: …`. */
export interface ManifestProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** All problems at once. */
export class ManifestError extends Error {
  constructor(readonly problems: readonly ManifestProblem[]) {
    super(
      problems.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join("\n"),
    );
    this.name = "ManifestError";
  }
}
