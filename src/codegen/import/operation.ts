/**
 * What importers read out of a service's description, whatever it is written in: operations with parameters and an
 * answer. `assemble.ts` makes tables of them, the protocol's own code writes the verbs.
 */
import type { JsonSchema, JsonSchemaNode } from "../../json-schema/schema.js";

/** What an operation does with the things it is about. */
export type Action = "list" | "search" | "get" | "create" | "update" | "delete" | "other";

/** Where a parameter goes. MCP tools know only `argument`. */
export type ParameterPlace = "path" | "query" | "header" | "body" | "form" | "argument";

/** One value that an operation takes. */
export interface Parameter {
  /** The service's own name. */
  readonly name: string;
  readonly place: ParameterPlace;
  readonly required: boolean;
  readonly schema: JsonSchemaNode;
  /** The document that references of `schema` point into. */
  readonly root: JsonSchema;
  readonly description?: string;
  /**
   * Set when the operation takes a list of rows and this is a property of one: `entities` of `create_entities` has items
   * with `name`. `item` without properties (a list of plain values) has only this parameter.
   */
  readonly inListOf?: { readonly parameter: string; readonly plain: boolean };
  /** Name to make the column's of, where the parameter's own says too little: `user_id` for the `id` of a user. */
  readonly columnName?: string;
  /** How a list of values is written in a query: joined with this; repeated when absent. */
  readonly join?: string;
}

/** Where the rows of an answer are. */
export interface Answer {
  /** Properties that lead from the answer to the rows. */
  readonly path: readonly string[];
  /** Schema of a row that is an object, or of the single value that each row is. */
  readonly row: JsonSchemaNode;
  readonly root: JsonSchema;
  /** The rows are plain values (a list of names), not objects. */
  readonly plain: boolean;
  /** Whether there may be several rows. */
  readonly many: boolean;
  /** Known from recorded answers, not from a schema: what they have today may not be what they always have. */
  readonly sampled?: boolean;
}

/** One operation or tool. */
export interface Operation {
  /** Operation id or tool name, as reports call it. */
  readonly id: string;
  readonly action: Action;
  /** Words of the thing it is about, in the singular: `["pull", "request"]`. */
  readonly entity: readonly string[];
  /** It changes nothing. */
  readonly reads: boolean;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Undefined when nothing is known of the answer. */
  readonly answer: Answer | undefined;
  /** What was guessed while reading it. */
  readonly notes: readonly string[];
}

/** The verbs of a table. */
export type Verb = "select" | "insert" | "update" | "delete";

/** An operation that was left out, and why. */
export interface Skipped {
  readonly operation: string;
  readonly reason: string;
}
