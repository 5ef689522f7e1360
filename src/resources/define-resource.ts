/** `defineResource`: a resource written by hand, typed from its Zod schema end to end. */
import type { ZodObject, ZodType, z } from "zod";
import { checkCallOptions } from "./call-options.js";
import { columnsFromZod } from "./columns-from-zod.js";
import type {
  Awaitable,
  Bindings,
  QualOperator,
  RateLimit,
  ResourceColumn,
  ResourceContext,
  ResourceTable,
  RetryOptions,
  Row,
  Rows,
  Volatility,
} from "./resource.js";

/** A row as a resolver may give it: the keys may be left out, they are stamped from the arguments. */
export type RowWithoutKeys<R, K extends keyof R> = Omit<R, K> & Partial<Pick<R, K>>;

/** What a resource says of a column beside its type; see `ResourceColumn`. */
export type ColumnOptions = Pick<
  ResourceColumn,
  "operators" | "exact" | "equality" | "lenient" | "labels" | "argument"
>;

interface Common {
  /** Name of the table. A name that is not a plain identifier must be quoted in SQL. */
  name: string;
  /** What a row is; a model reads it in `information_schema.tables`. */
  description?: string;
  /** How long an answer holds: see `ResourceTable.volatility`. */
  volatility: Volatility;
  /** See `ResourceTable.batch`. */
  batch?: ResourceTable["batch"];
  /** See `ResourceTable.keyAlternatives`. */
  keyAlternatives?: ResourceTable["keyAlternatives"];
  /** See `ResourceTable.accepts`. */
  accepts?: ResourceTable["accepts"];
  /** See `ResourceTable.exact`. */
  exact?: boolean;
  /** See `ResourceTable.timeoutMs`. */
  timeoutMs?: number;
  /** See `ResourceTable.idleTimeoutMs`. */
  idleTimeoutMs?: number;
  /** See `ResourceTable.retry`. */
  retry?: RetryOptions;
  /** See `ResourceTable.idempotent`. */
  idempotent?: ResourceTable["idempotent"];
  /** See `ResourceTable.compensate`. */
  compensate?: ResourceTable["compensate"];
  /** See `ResourceTable.rateLimit`. */
  rateLimit?: RateLimit;
  /** See `ResourceTable.concurrency`. */
  concurrency?: number;
  /** See `ResourceTable.scope`. */
  scope?: string;
  /** See `ResourceTable.source`. */
  source?: ResourceTable["source"];
  /** See `ResourceTable.ttlMs`. */
  ttlMs?: number;
  /** See `ResourceTable.maxPages`. */
  maxPages?: number;
}

const passedOn = [
  "batch",
  "keyAlternatives",
  "accepts",
  "exact",
  "timeoutMs",
  "idleTimeoutMs",
  "retry",
  "idempotent",
  "compensate",
  "rateLimit",
  "concurrency",
  "scope",
  "source",
  "ttlMs",
  "maxPages",
] as const satisfies readonly (keyof Common & keyof ResourceTable)[];

/** Options of {@link defineResource} with a Zod schema. `S` is the schema, `K` the names of the required keys. */
export interface SchemaResourceOptions<S extends ZodObject, K extends keyof z.output<S> & string> extends Common {
  /** Columns, PostgreSQL types, labels, nullability, descriptions, and the row type of every resolver. */
  schema: S;
  /** What the schema does not say of a column: operators beyond equality, exactness. */
  columns?: { readonly [C in keyof z.output<S> & string]?: ColumnOptions };
  /** Required arguments: columns that a statement must bind. */
  keys?: readonly K[];
  /** Row identity; the keys when left out and there is a verb that writes. */
  primaryKey?: readonly (keyof z.output<S> & string)[];
  select?(
    bindings: Bindings<z.output<S>, K>,
    context: ResourceContext,
  ): Awaitable<Rows<RowWithoutKeys<z.input<S>, K & keyof z.input<S>>>>;
  /** Gets one row a call, all of the statement with `batch: { insert: true }`; never none. */
  insert?(rows: [z.output<S>, ...z.output<S>[]], context: ResourceContext): Awaitable<unknown>;
  update?(set: Partial<z.output<S>>, bindings: Bindings<z.output<S>, K>, context: ResourceContext): Awaitable<unknown>;
  delete?(bindings: Bindings<z.output<S>, K>, context: ResourceContext): Awaitable<unknown>;
}

/** Options of {@link defineResource} with a list of columns. */
export interface ColumnResourceOptions extends Common {
  columns: readonly ResourceColumn[];
  primaryKey?: readonly string[];
  select?: ResourceTable["select"];
  /** Gets one row a call, all of the statement with `batch: { insert: true }`; never none. */
  insert?(rows: [Row, ...Row[]], context: ResourceContext): Awaitable<unknown>;
  update?: ResourceTable["update"];
  delete?: ResourceTable["delete"];
}

/**
 * Makes a resource. With `schema`, resolvers are typed by it, and what `insert` and `update` receive has been checked
 * and decoded by it before any call of the statement is made (a `z.date()` column gets a `Date`); a column the statement
 * does not name is absent from the row, whatever the schema says.
 *
 * @throws TypeError for a resource without a verb, without columns, with two columns of one name, or with a key that is no column,
 *   and for declarations of what it takes that name no column, no operator, or contradict each other
 */
export function defineResource<S extends ZodObject, const K extends keyof z.output<S> & string = never>(
  options: SchemaResourceOptions<S, K>,
): ResourceTable;
export function defineResource(options: ColumnResourceOptions): ResourceTable;
export function defineResource(
  options: SchemaResourceOptions<ZodObject, string> | ColumnResourceOptions,
): ResourceTable {
  const columns =
    "schema" in options ? columnsOfSchema(options.schema, options.keys, options.columns) : options.columns;
  const decode = "schema" in options ? decoderOf(options.schema) : undefined;
  return checkResource({
    name: options.name,
    description: options.description ?? "",
    columns,
    volatility: options.volatility,
    ...primaryKeyOf(options, columns),
    ...Object.fromEntries(passedOn.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))),
    // Called as methods of the options, so that a resolver written as a method keeps its `this`.
    ...(options.select !== undefined && {
      select: (b: Bindings, ctx: ResourceContext) => options.select?.(b as never, ctx) as Awaitable<Rows>,
    }),
    ...(options.insert !== undefined && {
      insert: (rows: Row[], ctx: ResourceContext) => options.insert?.(rows as never, ctx),
    }),
    ...(options.update !== undefined && {
      update: (set: Row, b: Bindings, ctx: ResourceContext) => options.update?.(set as never, b as never, ctx),
    }),
    ...(options.delete !== undefined && {
      delete: (b: Bindings, ctx: ResourceContext) => options.delete?.(b as never, ctx),
    }),
    ...(decode !== undefined && { decode }),
  });
}

/**
 * The columns of a schema, with what the resource says of them beside.
 * @param keys names of the required keys
 * @throws TypeError for a key, or options of a column, that the schema does not have
 */
export function columnsOfSchema(
  schema: ZodObject,
  keys: readonly string[] = [],
  options: Readonly<Record<string, ColumnOptions | undefined>> = {},
): ResourceColumn[] {
  const columns = columnsFromZod(schema, keys);
  const names = new Set(columns.map((column) => column.name));
  const strange = Object.keys(options).find((name) => !names.has(name));
  if (strange !== undefined) throw new TypeError(`columns: the schema has no field "${strange}"`);
  return columns.map((column) => ({ ...column, ...(Object.hasOwn(options, column.name) && options[column.name]) }));
}

function primaryKeyOf(
  options: { primaryKey?: readonly string[]; insert?: unknown; update?: unknown; delete?: unknown },
  columns: readonly ResourceColumn[],
): { primaryKey?: readonly string[] } {
  if (options.primaryKey !== undefined) return { primaryKey: options.primaryKey };
  const writes = options.insert !== undefined || options.update !== undefined || options.delete !== undefined;
  const keys = columns.filter((column) => column.requiredKey === true).map((column) => column.name);
  return writes && keys.length > 0 ? { primaryKey: keys } : {};
}

/** Decodes the values of a write by the field's schema; a field that is optional or has a default is decoded the same way. */
export function decoderOf(schema: ZodObject): (column: string, value: unknown) => unknown {
  return (column, value) => {
    const field = schema.shape[column] as ZodType | undefined;
    if (field === undefined) return value;
    const parsed = field.safeParse(value);
    if (parsed.success) return parsed.data;
    const asBigint = integerOf(value);
    const again = asBigint === undefined ? parsed : field.safeParse(asBigint);
    if (again.success) return again.data;
    throw new Error(parsed.error.issues.map((issue) => [...issue.path, issue.message].join(": ")).join("; "));
  };
}

/** A whole number as a `z.bigint()` wants it; SQL hands it over as a number, or as digits where a number is not exact. */
function integerOf(value: unknown): bigint | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : undefined;
}

/** PostgreSQL's limit for an identifier; a longer one is cut where a statement says it, and would never be found. */
const maxNameBytes = 63;

/** Why a name can't be said in SQL or carried by a row object; `undefined` when it can. */
function unfitName(name: unknown): string | undefined {
  if (typeof name !== "string" || name === "") return "is empty";
  if (name.includes("\0")) return "contains a NUL character";
  if (name === "__proto__") return "is not possible for a property of an object";
  const bytes = new TextEncoder().encode(name).length;
  return bytes > maxNameBytes ? `is too long: ${bytes} bytes, where SQL takes ${maxNameBytes}` : undefined;
}

/**
 * Checks what the types cannot: that the resource can be a table at all.
 * @throws TypeError naming the resource and what is wrong
 */
export function checkResource(resource: ResourceTable): ResourceTable {
  const fail = (problem: string): never => {
    throw new TypeError(`resource "${resource.name}": ${problem}`);
  };
  if (typeof resource.name !== "string" || resource.name === "") throw new TypeError("a resource needs a name");
  const unfit = unfitName(resource.name);
  if (unfit !== undefined) fail(`its name ${unfit}`);
  if (!["immutable", "stable", "volatile"].includes(resource.volatility))
    fail(`volatility must be immutable, stable or volatile, not ${JSON.stringify(resource.volatility)}`);
  if (resource.columns.length === 0) fail("a table needs at least one column");
  const seen = new Set<string>();
  for (const column of resource.columns) {
    const wrong = unfitName(column.name);
    if (wrong !== undefined) fail(`the name of column ${JSON.stringify(column.name)} ${wrong}`);
    if (typeof column.type !== "string") fail(`column "${column.name}" has no type`);
    if (seen.has(column.name)) fail(`column "${column.name}" is declared twice`);
    seen.add(column.name);
  }
  for (const key of resource.primaryKey ?? []) {
    if (!seen.has(key)) fail(`primary key column "${key}" does not exist`);
  }
  checkPushing(resource, seen, fail);
  checkCallOptions(resource, fail);
  if (
    resource.select === undefined &&
    resource.insert === undefined &&
    resource.update === undefined &&
    resource.delete === undefined
  )
    fail("give it at least one verb: select, insert, update or delete");
  return resource;
}

const qualOperators: readonly QualOperator[] = [
  ">",
  ">=",
  "<",
  "<=",
  "<>",
  "like",
  "ilike",
  "is null",
  "is not null",
  "@>",
];

/** What a resource says of its arguments has to name columns that are there, and must not contradict itself. */
function checkPushing(resource: ResourceTable, names: ReadonlySet<string>, fail: (problem: string) => never): void {
  const alternatives = new Set((resource.keyAlternatives ?? []).flat());
  for (const column of resource.columns) {
    const strange = column.operators?.find((operator) => !qualOperators.includes(operator));
    if (strange !== undefined)
      fail(
        `column "${column.name}" can't take the operator ${JSON.stringify(strange)}: ${qualOperators.join(", ")} are known`,
      );
    const isKey = column.requiredKey === true || column.argument === true || alternatives.has(column.name);
    if (column.equality === false && isKey)
      fail(`column "${column.name}" is an argument of the call, so it can't be without equality`);
    if (column.requiredKey === true && alternatives.has(column.name))
      fail(`column "${column.name}" is a required key, so it can't be an alternative as well`);
  }
  for (const group of resource.keyAlternatives ?? []) {
    if (group.length === 0) fail("a group of keyAlternatives is empty");
    for (const name of group) if (!names.has(name)) fail(`keyAlternatives: column "${name}" does not exist`);
  }
  for (const name of resource.accepts?.orderBy ?? [])
    if (!names.has(name)) fail(`accepts.orderBy: column "${name}" does not exist`);
  const most = resource.batch?.keys;
  if (typeof most === "number" && !(Number.isInteger(most) && most > 0))
    fail(`batch.keys must be a whole number above 0, not ${most}`);
}
