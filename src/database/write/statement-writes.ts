/**
 * The writes of one statement. The engine hands over what each data-modifying node wants, as it comes to it; here it
 * becomes effects, checked, and nothing is sent. Only when the whole statement has been worked out, RETURNING and what is
 * made of it included, are all effects staged or fired, in the order of the statement's text and of each node's rows. So
 * a statement that fails anywhere before its first call has done nothing, as in PostgreSQL.
 *
 * What other parts of the statement read of a RETURNING are therefore the values that the statement itself says. Columns
 * that only the service can give (a key that it makes up) can't be an input of another write of the statement: the
 * planner refuses that (`planner/service-given.ts`, 0A000). In the result they show what the verb answered: the engine
 * computes what depends on the answers a second time, over them. Of a staged INSERT nobody can say them: a key, or another
 * column that can't be NULL, is refused (0A000); for the others NULL stands, and a notice says so.
 *
 * A row that two parts of a statement write is refused (`touched-rows.ts`).
 */
import type { WriteOutcome, WriteRequest } from "../../engine/write-request.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { countOf } from "../../errors/words.js";
import { requireVerb } from "../../planner/bind/write-targets.js";
import type { LogicalPlan, Merge, Write } from "../../planner/plan.js";
import { readReturning } from "../../planner/read-returning.js";
import { plansWithin } from "../../planner/visit.js";
import { isRegisteredResource, type RegisteredResource } from "../../resources/table-info.js";
import type { Effect } from "../effect.js";
import type { Notice, TouchedRelation } from "../types.js";
import { answered, refuseUnsaid, unsaidNotice } from "./answers.js";
import { makeDelete, makeUpdate } from "./change-effects.js";
import { checkEffect } from "./check-effect.js";
import { makeUpsert } from "./conflict-effects.js";
import { makeInsert, type ProposedRow } from "./insert-effects.js";
import type { MadeWrite, MakeContext } from "./made-write.js";
import { makeMerge } from "./merge-effects.js";
import { RowKeys } from "./row-keys.js";
import { seeStaged } from "./staged-keys.js";
import { TouchedRows } from "./touched-rows.js";

/** What the writes of a statement need from it. */
export interface WritesContext extends Omit<MakeContext, "keys" | "touched"> {
  /** Whether effects wait for COMMIT. */
  readonly staging: boolean;
  /** The whole statement's. */
  readonly plan: LogicalPlan;
  /** The open transaction's effects so far. */
  readonly staged: readonly Effect[];
  /** See `Policy.maxAffectedRows`. */
  readonly maxAffectedRows?: number;
  /** Stages or fires all effects of the statement; gives what each effect's verb answered, `undefined` for a staged one. */
  readonly carryOut: (effects: readonly Effect[]) => Promise<readonly unknown[]>;
}

/** One a statement that runs: `write` for each node that writes, then `settle` once. */
export class StatementWrites {
  /** What the reader should know of the rows that the result shows. */
  readonly notices: Notice[] = [];
  private readonly made: MadeWrite[] = [];
  private readonly keys = new Map<RegisteredResource, RowKeys>();
  private readonly touchedRows = new Map<string, TouchedRows>();
  private returned: ReadonlyMap<LogicalPlan, ReadonlySet<number>> | undefined;
  private fired = 0;

  constructor(private readonly context: WritesContext) {}

  /**
   * Makes the effects of a node. Nothing is sent.
   * @throws SqlError for a value that is not acceptable, a violated key, more rows than the policy allows, a row that another part writes
   */
  write(node: Write | Merge, request: WriteRequest): WriteOutcome | Promise<WriteOutcome> {
    const table = node.table;
    if (!isRegisteredResource(table))
      throw new SqlError(sqlstate.insufficientPrivilege, `permission denied for table ${table.name}`, {
        position: node.position,
      });
    const made = this.make(node, table, request);
    return made instanceof Promise ? made.then((done) => this.keep(done)) : this.keep(made);
  }

  /** Carries out all effects; gives the outcomes that became others by the verbs' answers. */
  async settle(): Promise<ReadonlyMap<Write | Merge, WriteOutcome>> {
    const { staging, carryOut } = this.context;
    if (staging) for (const made of this.made) refuseUnsaid(made);
    const effects = this.made.flatMap((made) => made.effects);
    const answers = effects.length === 0 ? [] : await carryOut(effects);
    if (!staging) this.fired = effects.length;
    const changed = new Map<Write | Merge, WriteOutcome>();
    let from = 0;
    for (const made of this.made) {
      const own = answers.slice(from, from + made.effects.length);
      from += made.effects.length;
      const { rows, isChanged, missing } = answered(made, own, this.context.session);
      const notice = unsaidNotice(made, missing, staging);
      if (notice !== undefined) this.notices.push(notice);
      if (isChanged) changed.set(made.node, outcomeOf(made, rows));
    }
    return changed;
  }

  /** How many effects were fired. */
  get firedCount(): number {
    return this.fired;
  }

  /** One entry for each node and verb, with the calls made. */
  touched(): TouchedRelation[] {
    return this.made.flatMap(({ node, table, effects }) => {
      const counts = new Map<Effect["op"] | undefined, number>();
      if (node.kind === "Write") counts.set(node.op, 0);
      else if (effects.length === 0) counts.set(undefined, 0);
      for (const { op } of effects) counts.set(op, (counts.get(op) ?? 0) + 1);
      return [...counts].map(
        ([op, count]): TouchedRelation => ({
          name: table.name,
          schema: table.schema,
          source: "virtual",
          access: "write",
          ...(op !== undefined && { op }),
          volatility: table.volatility,
          bindings: {},
          invocations: this.fired > 0 ? count : 0,
        }),
      );
    });
  }

  private make(node: Write | Merge, table: RegisteredResource, request: WriteRequest): MadeWrite | Promise<MadeWrite> {
    const context: MakeContext = { ...this.context, keys: this.keysOf(table), touched: this.touchedOf(table) };
    if (node.kind === "Merge") return makeMerge(node, table, request.op === "merge" ? request.steps : [], context);
    requireVerb(table, node.op, node.position);
    switch (request.op) {
      case "insert": {
        const rows = proposedRows(node, request.rows);
        return request.conflict === undefined
          ? makeInsert(node, table, rows, context)
          : makeUpsert(node, table, rows, request.conflict, context);
      }
      case "update":
        return makeUpdate(node, table, request.changes, context);
      case "delete":
        return makeDelete(node, table, request.rowIds, context);
      case "merge":
        throw new SqlError(sqlstate.internalError, "a MERGE without its plan");
    }
  }

  private keep(made: MadeWrite): WriteOutcome {
    this.requireFew(made);
    for (const effect of made.effects) checkEffect(effect);
    this.returned ??= readReturning(this.context.plan);
    const returned = this.returned.get(made.node);
    this.made.push(returned === undefined ? made : { ...made, returned });
    return outcomeOf(
      made,
      made.rows.map((row) => row.values),
    );
  }

  private keysOf(table: RegisteredResource): RowKeys {
    let keys = this.keys.get(table);
    if (keys === undefined) {
      keys = new RowKeys(table, this.context.session);
      seeStaged(keys, table, this.context.staged, this.context.session);
      this.keys.set(table, keys);
    }
    return keys;
  }

  private touchedOf(table: RegisteredResource): TouchedRows {
    const name = JSON.stringify([table.schema, table.name]);
    let touched = this.touchedRows.get(name);
    if (touched === undefined) {
      touched = new TouchedRows(table, this.partsWriting(table) > 1);
      this.touchedRows.set(name, touched);
    }
    return touched;
  }

  private partsWriting({ schema, name }: RegisteredResource): number {
    let parts = 0;
    for (const node of plansWithin(this.context.plan))
      if ((node.kind === "Write" || node.kind === "Merge") && node.table.schema === schema && node.table.name === name)
        parts += 1;
    return parts;
  }

  private requireFew({ node, table, rows }: MadeWrite): void {
    const { maxAffectedRows = Number.POSITIVE_INFINITY } = this.context;
    if (rows.length <= maxAffectedRows) return;
    const verb = node.kind === "Merge" ? "MERGE" : node.op.toUpperCase();
    throw new SqlError(
      sqlstate.insufficientPrivilege,
      `${verb} would write ${countOf(rows.length, "row")} of "${table.name}", more than are allowed at once`,
      {
        position: node.position,
        detail: `The policy allows ${countOf(maxAffectedRows, "row")} a statement (maxAffectedRows).`,
        hint: "Narrow the statement, or write in several; only the host can allow more.",
      },
    );
  }
}

function outcomeOf({ rows, origins }: MadeWrite, values: WriteOutcome["rows"]): WriteOutcome {
  return { affected: rows.length, rows: values, ...(origins !== undefined && { origins }) };
}

/** Of each row, the columns that the statement gives a value: DEFAULT gives none. */
function proposedRows({ targets, defaulted }: Write, rows: readonly ProposedRow["row"][]): ProposedRow[] {
  return rows.map((row, i) => {
    const left = (defaulted?.length === 1 ? defaulted[0] : defaulted?.[i]) ?? [];
    return { row, given: left.length === 0 ? targets : targets.filter((target) => !left.includes(target)) };
  });
}
