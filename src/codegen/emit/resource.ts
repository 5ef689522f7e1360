/**
 * Emits one resource: the row's interface, its Zod schema, what a write takes, and the table. How the table is made is the
 * business of the connector's emitter.
 */
import type { ResourceModel, ServiceManifest } from "../manifest/model.js";
import { verbNames } from "../manifest/verbs.js";
import type { RowShape } from "../schema/shape.js";
import { httpFactory } from "./http-factory.js";
import { type Imports, importLines } from "./imports.js";
import { mcpFactory } from "./mcp-factory.js";
import { moduleFactory } from "./module-factory.js";
import { header, type ResourceNames } from "./names.js";
import { typeDeclarations } from "./row-types.js";
import { tableImports, tableText } from "./table.js";
import { docComment, sentence } from "./text.js";
import { insertColumns, updateColumns } from "./written-columns.js";
import { zodDeclarations } from "./zod.js";

/** What every part of a resource's module is made from. */
export interface ResourceSource {
  readonly manifest: ServiceManifest;
  readonly resource: ResourceModel;
  readonly shape: RowShape;
  readonly names: ResourceNames;
}

/** The factory of a module: a function that makes the table. */
export interface Factory {
  readonly imports: Imports;
  /** Declarations that stand before it. */
  readonly before?: string;
  readonly comment: string;
  /** Between its parentheses. */
  readonly parameters: string;
  /** The expression that it returns. */
  readonly body: string;
}

/** The text of one resource's module, not formatted yet. */
export async function emitResource(source: ResourceSource): Promise<string> {
  const { manifest, resource, shape, names } = source;
  const factory = factoryOf(source);
  const description = `A row of \`${resource.table}\`. ${sentence(resource.description)}`;
  const parts = [
    importLines([factory.imports, tableImports, { zod: ["z"] }]),
    await typeDeclarations(shape, names, description),
    writtenTypes(source),
    zodDeclarations(shape, names),
    factory.before ?? "",
    tableText(source, factory),
  ];
  return `${header(manifest.file)}\n${parts.filter((part) => part !== "").join("\n")}`;
}

function factoryOf(source: ResourceSource): Factory {
  switch (source.resource.verbs.kind) {
    case "http":
      return httpFactory(source, source.resource.verbs.verbs);
    case "mcp":
      return mcpFactory(source, source.resource.verbs.verbs);
    case "module":
      return moduleFactory(source, source.resource.verbs.verbs);
  }
}

/** The types of what an INSERT and an UPDATE may say. */
function writtenTypes({ resource, names }: ResourceSource): string {
  const verbs = verbNames(resource);
  const lines: string[] = [];
  const insert = insertColumns(resource);
  if (verbs.includes("insert")) {
    const type = picked(names.row, insert.optional, true);
    const needed = picked(names.row, insert.required, false);
    lines.push(
      docComment([`What an INSERT into \`${resource.table}\` may give.`]),
      `export type ${names.insert} = ${[needed, type].filter((part) => part !== "").join(" & ") || "Record<string, never>"};\n`,
    );
  }
  if (verbs.includes("update")) {
    const type = picked(names.row, updateColumns(resource), true) || "Record<string, never>";
    lines.push(
      docComment([`What an UPDATE of \`${resource.table}\` may set.`]),
      `export type ${names.update} = ${type};\n`,
    );
  }
  return lines.join("");
}

function picked(row: string, columns: readonly string[], isPartial: boolean): string {
  if (columns.length === 0) return "";
  const pick = `Pick<${row}, ${columns.map((column) => JSON.stringify(column)).join(" | ")}>`;
  return isPartial ? `Partial<${pick}>` : `Required<${pick}>`;
}
