/** A manifest that is being made: its parts in the manifest's own form, beside notes of what was guessed. */
import type { JsonSchema } from "../../json-schema/schema.js";
import type { Skipped, Verb } from "./operation.js";

/** JSON as it will stand in the YAML. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | { readonly [key: string]: Yaml };

/** Something that a person should look at: it becomes a `# review:` comment. */
export interface Note {
  /** Keys that lead from the resource (or the document) to the place; empty for the whole. */
  readonly at: readonly string[];
  readonly text: string;
}

/** One resource of the manifest. */
export interface ResourceDraft {
  readonly name: string;
  readonly description: string;
  readonly volatility: "stable" | "volatile";
  readonly columns: ReadonlyMap<string, JsonSchema>;
  /** Columns that always have a value. */
  readonly required: readonly string[];
  readonly keys: readonly string[];
  readonly primaryKey: readonly string[];
  readonly arguments: readonly string[];
  readonly verbs: ReadonlyMap<Verb, { readonly [key: string]: Yaml }>;
  readonly notes: readonly Note[];
}

/** A whole manifest, with what did not get into it. */
export interface ManifestDraft {
  readonly service: string;
  readonly description: string;
  /** Lines of the comment at the top: where it comes from. */
  readonly source: string;
  readonly connector: { readonly [key: string]: Yaml };
  readonly resources: readonly ResourceDraft[];
  /** Places below the document: `["connector"]`. */
  readonly notes: readonly Note[];
  readonly skipped: readonly Skipped[];
  /** Operations or tools that were read, those left out included. */
  readonly operations: number;
}
