/**
 * Makes tables of operations: columns of the rows that are read, parameters that are columns of the row or only arguments,
 * keys, and which parameter each column goes into. The protocol's own code writes the verbs from that.
 */
import { columnTypeOf } from "../../json-schema/column-type.js";
import { objectShape } from "../../json-schema/object-shape.js";
import { resolveSchema } from "../../json-schema/resolve.js";
import { isJsonSchema, type JsonSchema } from "../../json-schema/schema.js";
import { uniqueNames } from "../../resources/sql-names.js";
import {
  columnOfParameter,
  isContent,
  isOwnersName,
  isStructured,
  kindOf,
  namesIdentity,
  type RowColumn,
} from "./column-names.js";
import { describeParameter, describeTable } from "./describe.js";
import type { Note, ResourceDraft, Yaml } from "./draft.js";
import type { TableGroup } from "./group.js";
import type { Answer, Operation, Parameter, Verb } from "./operation.js";
import { simplifySchema } from "./simplify-schema.js";
import { columnName } from "./words.js";

/** An operation as a verb of a table: which column gives each parameter, and where columns stand in the answer. */
export interface BoundOperation {
  readonly verb: Verb;
  readonly operation: Operation;
  readonly columnOf: ReadonlyMap<Parameter, string>;
  /** Column → property of a row, for columns of another name; `undefined` for the row as a whole. */
  readonly fields: ReadonlyMap<string, string | undefined>;
}

/** Writes a verb in the connector's form. */
export type VerbWriter = (bound: BoundOperation) => {
  readonly verb: { readonly [key: string]: Yaml };
  readonly notes: readonly Note[];
};

/** Column that holds a whole answer when nothing is known of it. */
const wholeColumn = "result";

/** The draft of each group, and of what has to stand alone. */
export function assembleAll(groups: readonly TableGroup[], write: VerbWriter): ResourceDraft[] {
  const taken = new Set(groups.map((group) => group.name));
  return groups.flatMap((group) => {
    const { fitting, apart } = byIdentity(group);
    return [fitting, ...apart.map((one) => aside(group, one, taken))].map((one) => assemble(one, write));
  });
}

/** A delete that goes by other columns than the update can't share the primary key with it. */
function byIdentity(group: TableGroup): { fitting: TableGroup; apart: [Verb, Operation][] } {
  const table = new TableBuilder(group);
  const bound = [...group.verbs].map(([verb, operation]) => table.bind(verb, operation));
  const key = table.primaryKey(bound);
  const apart = bound.filter(({ verb, operation, columnOf }) => {
    if (verb !== "update" && verb !== "delete") return false;
    const inPath = operation.parameters.filter(({ place }) => place === "path").map((one) => columnOf.get(one));
    const columns = [...columnOf.values()];
    return !(key.every((column) => columns.includes(column)) && inPath.every((column) => key.includes(column ?? "")));
  });
  if (apart.length === 0 || apart.length === bound.length) return { fitting: group, apart: [] };
  const verbs = new Map([...group.verbs].filter(([verb]) => !apart.some((one) => one.verb === verb)));
  return { fitting: { ...group, verbs }, apart: apart.map(({ verb, operation }) => [verb, operation]) };
}

function aside(group: TableGroup, [verb, operation]: [Verb, Operation], taken: Set<string>): TableGroup {
  const wish = `${group.name}_by_${verb}`;
  let name = wish;
  for (let number = 2; taken.has(name); number++) name = `${wish}_${number}`;
  taken.add(name);
  return { name, entity: group.entity, verbs: new Map([[verb, operation]]) };
}

/** The draft of one table. */
function assemble(group: TableGroup, write: VerbWriter): ResourceDraft {
  const table = new TableBuilder(group);
  const bound = [...group.verbs].map(([verb, operation]) => table.bind(verb, operation));
  const primaryKey = table.primaryKey(bound);
  const notes = [...table.notes];
  const verbs = new Map<Verb, { readonly [key: string]: Yaml }>();
  for (const one of bound) {
    const written = write(one);
    verbs.set(one.verb, written.verb);
    notes.push(...one.operation.notes.map((text) => ({ at: [one.verb], text })), ...written.notes);
  }
  return {
    name: group.name,
    description: describeTable(group),
    volatility: group.verbs.has("select") ? "stable" : "volatile",
    columns: table.columnSchemas(),
    required: [...table.required],
    keys: [...table.keys],
    primaryKey,
    arguments: [...table.argumentColumns],
    verbs,
    notes,
  };
}

/** Collects the columns of one table, verb by verb: what is read first, since it says what a row is. */
class TableBuilder {
  readonly notes: Note[] = [];
  readonly required = new Set<string>();
  readonly keys = new Set<string>();
  readonly argumentColumns = new Set<string>();
  private readonly columns = new Map<string, RowColumn>();
  private readonly schemas = new Map<string, JsonSchema>();

  constructor(private readonly group: TableGroup) {}

  bind(verb: Verb, operation: Operation): BoundOperation {
    // What a table without SELECT answers feeds RETURNING; elsewhere the rows are those that SELECT reads.
    const answers = verb === "select" || (verb === "insert" && !this.group.verbs.has("select"));
    const fields = answers ? this.addAnswer(operation) : new Map<string, string | undefined>();
    const columnOf = new Map<Parameter, string>();
    for (const parameter of operation.parameters)
      columnOf.set(parameter, this.addParameter(verb, operation, parameter, columnOf));
    return { verb, operation, columnOf, fields };
  }

  columnSchemas(): ReadonlyMap<string, JsonSchema> {
    // Keys first: they are what a statement has to give.
    const ordered = [...this.keys, ...[...this.schemas.keys()].filter((name) => !this.keys.has(name))];
    return new Map(ordered.map((name) => [name, this.schemas.get(name) ?? {}]));
  }

  private addAnswer({ answer }: Operation): Map<string, string | undefined> {
    const fields = new Map<string, string | undefined>();
    if (answer === undefined) {
      this.addColumn(wholeColumn, { description: "What was answered, as it came" }, {});
      fields.set(wholeColumn, undefined);
      return fields;
    }
    if (answer.plain) {
      const name = this.plainColumn(answer);
      this.addColumn(name, answer.row, answer.root);
      fields.set(name, undefined);
      return fields;
    }
    const { properties, required } = objectShape(answer.row, answer.root);
    const names = uniqueNames(properties.keys(), columnName);
    for (const [property, schema] of properties) {
      if (isJsonSchema(schema) && resolveSchema(schema, answer.root)["writeOnly"] === true) continue;
      const name = names.get(property) ?? columnName(property);
      this.addColumn(name, schema, answer.root);
      if (name !== property) fields.set(name, property);
      if (
        required.has(property) &&
        answer.sampled !== true &&
        !columnTypeOf(schema, answer.root).nullable &&
        this.group.verbs.has("select")
      )
        this.required.add(name);
    }
    if (answer.sampled === true)
      this.notes.push({ at: ["row"], text: "the columns were taken from sampled answers; others may hold more" });
    return fields;
  }

  /** A list of names has one column: the entity's word. */
  private plainColumn(answer: Answer): string {
    if (isStructured(kindOf(answer.row, answer.root))) return wholeColumn;
    const word = answer.path.at(-1) ?? this.group.entity.at(-1) ?? "value";
    return columnName(word).replace(/([^s])s$/, "$1");
  }

  private addParameter(
    verb: Verb,
    operation: Operation,
    parameter: Parameter,
    others: ReadonlyMap<Parameter, string>,
  ): string {
    const { entity } = this.group;
    const writes = verb !== "select";
    const isOwned = operation.action === "list" && parameter.required;
    let name = columnOfParameter(parameter, this.columns, entity, writes && parameter.place !== "path");
    if (isOwned && this.columns.has(name) && isOwnersName(name, parameter)) name = `${name}_argument`;
    // Two parameters of one operation share a column only where a body repeats what the path says.
    const isTaken = () =>
      [...others].some(([other, column]) => column === name && !(writes && repeats(other, parameter)));
    while (isTaken()) name = `${name}_argument`;
    const known = this.columns.get(name);
    if (known === undefined) {
      this.addColumn(
        name,
        parameter.schema,
        parameter.root,
        describeParameter(parameter, writes && this.group.verbs.has("select")),
      );
      if (this.group.verbs.has("select")) this.argumentColumns.add(name);
      else if (verb === "insert" && parameter.required) this.required.add(name);
    } else if (writes) this.widen(name, parameter, known);
    if (verb === "select") this.bindRead(name, parameter, known !== undefined);
    return name;
  }

  private bindRead(name: string, parameter: Parameter, isOfRow: boolean): void {
    const { default: usual } = resolveSchema(parameter.schema, parameter.root);
    const narrows = isOfRow && usual !== undefined && usual !== null && !["all", "any", "*"].includes(String(usual));
    if (!parameter.required && !narrows) return;
    if (!parameter.required) {
      this.notes.push({
        at: ["keys"],
        text: `without a value for "${name}" the service answers only those with ${JSON.stringify(usual)}, so a statement has to say which`,
      });
    }
    this.keys.add(name);
    this.required.add(name);
    this.argumentColumns.delete(name);
    const schema = this.schemas.get(name);
    if (schema !== undefined) this.schemas.set(name, withoutNullType(schema));
  }

  private addColumn(name: string, node: JsonSchema | boolean, root: JsonSchema, description?: string): void {
    if (this.columns.has(name)) return;
    this.columns.set(name, { schema: node, root });
    const simple = simplifySchema(node, root);
    this.schemas.set(name, description === undefined ? simple : { ...simple, description });
  }

  /** A column that is written in another shape than it is read in takes both. */
  private widen(name: string, parameter: Parameter, known: RowColumn): void {
    const schema = this.schemas.get(name) ?? {};
    const given = simplifySchema(parameter.schema, parameter.root);
    const isOpen = isStructured(kindOf(known.schema, known.root)) && shapeText(schema) !== shapeText(given);
    if (isOpen) {
      this.schemas.set(name, schema.description === undefined ? {} : { description: schema.description });
      return;
    }
    if (schema.enum !== undefined && given.enum !== undefined) {
      this.schemas.set(name, { ...schema, enum: [...new Set([...schema.enum, ...given.enum])] });
    }
  }

  primaryKey(bound: readonly BoundOperation[]): string[] {
    const write = bound.find((one) => one.verb === "update") ?? bound.find((one) => one.verb === "delete");
    if (write !== undefined) return this.identityOf(write);
    const read = bound.find((one) => one.verb === "select");
    if (read === undefined) return [];
    if (read.operation.answer?.many !== true) return [];
    const own = ["id", `${this.group.entity.join("_")}_id`, "uuid", "gid"].find(
      (name) =>
        this.columns.has(name) && !this.argumentColumns.has(name) && !this.keys.has(name) && this.required.has(name),
    );
    if (own === undefined) return [];
    this.notes.push({ at: ["primaryKey"], text: `guessed from the name of "${own}"` });
    return [own];
  }

  /** The columns that say which row an update or a delete is for. */
  private identityOf({ operation, columnOf, verb }: BoundOperation): string[] {
    const all = [...columnOf].filter(([parameter]) => !isStructured(kindOf(parameter.schema, parameter.root)));
    const addressed = all.filter(([{ place, required }]) => place === "path" || (place === "query" && required));
    const needed = all.filter(([parameter]) => parameter.required && !addressed.some(([one]) => one === parameter));
    const own = all.filter(([, column]) => column === "id");
    const telling = [
      ...needed.filter(([parameter, column]) => !isContent(parameter.name) || this.keys.has(column)),
      ...own,
    ];
    const byName = all.filter(([parameter]) => namesIdentity(parameter.name) || parameter.inListOf?.plain === true);
    const chosen = [addressed, telling, needed, byName].find((choice) => choice.length > 0) ?? [];
    if (chosen.length === 0) {
      this.notes.push({ at: [verb], text: `no parameter of ${operation.id} says which row it is for` });
    }
    return [...new Set(chosen.map(([, column]) => column))];
  }
}

/** Does the body say again what the path has said? */
function repeats(first: Parameter, second: Parameter): boolean {
  return first.place === "path" && second.place !== "path";
}

/** The part of a schema that decides which values it takes. */
function shapeText(schema: JsonSchema): string {
  const { description: _, ...shape } = schema;
  return JSON.stringify(shape);
}

function withoutNullType(schema: JsonSchema): JsonSchema {
  const types = Array.isArray(schema.type) ? schema.type.filter((name) => name !== "null") : undefined;
  return {
    ...schema,
    ...(types !== undefined && { type: types.length === 1 ? types[0] : types }),
    ...(schema.enum !== undefined && { enum: schema.enum.filter((value) => value !== null) }),
  };
}
