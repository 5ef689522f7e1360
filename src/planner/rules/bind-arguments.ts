/**
 * Finds the arguments of every resource scan: the equalities, and the other predicates that its columns take, that hold
 * for all rows the statement can use of it.
 *
 * The plan is walked from the top with the *facts* that hold at each node: conjuncts of filters and join conditions that
 * drop every row for which they are not true. A fact on a column of a scan becomes an argument when its other side is
 * known without the scan: constants, a subquery, or columns of a relation that can be read first (a dependent join; for
 * required keys only, since for an optional column reading the table at once is one call and needs no waiting).
 * Nothing is taken out of the plan: every predicate is checked again on the rows that come back.
 *
 * Where facts may travel: an equality is never true for NULL, so a fact above an outer join may restrict either side (a
 * row that loses its partner becomes NULL-extended and fails the fact); so are all comparisons, but not IS NULL, which
 * stays above. A join's own condition restricts only sides whose unmatched rows are not put out. Nothing passes LIMIT or DISTINCT ON, and a window or an aggregate only on the
 * columns it partitions or groups by.
 */
import { isOnlyArgument, type TableColumn } from "../../catalog/table.js";
import { estimateRows } from "../estimate.js";
import type { Expr } from "../expr.js";
import type { ArgumentSet, CteDefinition, Join, LogicalPlan, PushedPredicates, PushedQual, Scan } from "../plan.js";
import { outputOf } from "../plan.js";
import type { RuleContext, WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  freeColumns,
  holdsSubquery,
  idsOf,
  isVolatile,
  isVolatilePlan,
  isWrite,
  mapBranches,
  mapInputs,
  mapSubplans,
  mentions,
  plansWithin,
  substituteColumns,
} from "../visit.js";
import { alternativesOf } from "./alternatives.js";
import { bindingsOfBounds } from "./bounds.js";
import { cannotFail } from "./cannot-fail.js";
import { type Binding, bindingsIn } from "./equalities.js";
import { qualsIn, samePredicate } from "./quals.js";
import { strictColumns } from "./simplify-outer-joins.js";
import { keyConditionsIn, thinKeys } from "./thin-keys.js";
import { unionQuery } from "./union-query.js";

export const bindArguments: WholePlanRule = {
  name: "bind-arguments",
  rewriteWhole(plan, context) {
    const found = new Map<number, ScanFindings>();
    bindPlan(plan, [], { outer: [], ctes: [], rules: context, found });
    if (found.size === 0) return plan;
    return withPushed(plan, chooseArguments(found, context));
  },
};

/** What the walk found out about one scan; from which relation its keys come is decided when all scans are known. */
interface ScanFindings {
  readonly scan: Scan;
  readonly known: readonly ArgumentSet[];
  readonly quals: readonly PushedQual[];
  readonly candidates: readonly Candidate[];
  /** Conditions on its columns alone, by which values for them can be left out. */
  readonly keyConditions: readonly Expr[];
  readonly never: boolean;
}

/** A required key, or another column of use, that a column of another relation could give a value. */
interface Candidate {
  readonly source: number;
  readonly value: Expr;
  /** The plans that the values can be read from: the nearest first. */
  readonly sources: readonly LogicalPlan[];
  /** Conditions of every useful row; those on nothing but the piece's columns leave out keys that find no partner. */
  readonly conditions: readonly Expr[];
  /** The piece of the plan that the values are read from, and what it needs to run on its own. */
  readonly piece: LogicalPlan;
  readonly around: Surroundings;
  /** Ids of the resource scans that have to be read for them. */
  readonly reads: readonly number[];
}

/** A condition that every useful row fulfils, and the plans that its other columns can be read from. */
interface Fact {
  readonly condition: Expr;
  readonly sources: readonly LogicalPlan[];
  /** Made of IN (SELECT …): its values are worth waiting for, also for a column that needs none. */
  readonly narrows?: boolean;
  /** Said of rows that may be NULL-extended below it: it holds for the columns only where NULL can't fulfil it. */
  readonly extended?: boolean;
}

interface Surroundings {
  /** Inputs of the enclosing queries: where correlated columns come from. */
  readonly outer: readonly LogicalPlan[];
  readonly ctes: readonly CteDefinition[];
  readonly rules: RuleContext;
  readonly found: Map<number, ScanFindings>;
}

/** Walks the plan for what it says about its scans; gives the plan back as it is. */
function bindPlan(plan: LogicalPlan, facts: readonly Fact[], around: Surroundings): LogicalPlan {
  const node = mapSubplans(plan, (inner) => bindPlan(inner, [], inside(plan, around)));
  switch (node.kind) {
    case "Scan":
      return node.table.kind === "resource" ? bindScan(node, facts, around) : node;
    case "Filter": {
      const own = conjunctsOf(node.condition).map((condition) => ({ condition, sources: around.outer }));
      return mapInputs(node, (input) => bindPlan(input, [...facts, ...own], around));
    }
    case "Project": {
      const items = new Map(node.items.map((item) => [item.column.id, item.expr]));
      return mapInputs(node, (input) =>
        bindPlan(
          input,
          facts.map((fact) => substituted(fact, items)),
          around,
        ),
      );
    }
    case "Aggregate": {
      const keys = new Map(node.keys.map((key) => [key.column.id, key.expr]));
      const hidden = idsIn([...node.aggregates, ...node.groupings].map((item) => item.column));
      const passing = node.keys.length === 0 ? [] : facts.filter((fact) => !mentions(fact.condition, hidden));
      // A key outside a grouping set is NULL in its rows, whatever the rows below have.
      const plain = node.groupingSets.length === 1 && node.groupingSets[0].length === node.keys.length;
      const below = plain ? passing : passing.map(extended);
      return mapInputs(node, (input) =>
        bindPlan(
          input,
          below.map((fact) => substituted(fact, keys)),
          around,
        ),
      );
    }
    case "Window": {
      const partition = new Set(node.partitionBy.flatMap((expr) => (expr.kind === "Column" ? [expr.column.id] : [])));
      const own = idsOf(node);
      const passing = facts.filter((fact) =>
        [...columnsOf(fact.condition)].every((id) => partition.has(id) || !own.has(id)),
      );
      return mapInputs(node, (input) => bindPlan(input, passing, around));
    }
    case "ProjectSet": {
      const made = idsIn(node.calls.flatMap((call) => call.columns));
      return mapInputs(node, (input) =>
        bindPlan(
          input,
          facts.filter((fact) => !mentions(fact.condition, made)),
          around,
        ),
      );
    }
    case "Sort":
      return mapInputs(node, (input) => bindPlan(input, facts, around));
    case "Distinct":
      return mapInputs(node, (input) => bindPlan(input, node.on === undefined ? facts : [], around));
    case "SetOperation":
      return mapBranches(node, (input) => {
        const columns = new Map(node.columns.map((column, i) => [column.id, columnRef(outputOf(input)[i])] as const));
        return bindPlan(
          input,
          facts.map((fact) => substituted(fact, columns)),
          around,
        );
      });
    case "Join":
      return bindJoin(node, facts, around);
    case "With": {
      const within: Surroundings = { ...around, ctes: [...around.ctes, ...node.ctes] };
      return mapInputs(node, (input) => bindPlan(input, input === node.input ? facts : [], within));
    }
    default:
      return mapInputs(node, (input) => bindPlan(input, [], around));
  }
}

/** What is around a subquery in an expression of `plan`: the rows that it is evaluated for come from the plan's inputs. */
function inside(plan: LogicalPlan, around: Surroundings): Surroundings {
  const inputs: LogicalPlan[] = [];
  mapInputs(plan, (input) => {
    inputs.push(input);
    return input;
  });
  return { ...around, outer: [...inputs, ...around.outer] };
}

function bindJoin(join: Join, facts: readonly Fact[], around: Surroundings): LogicalPlan {
  const own = join.nullAware === true ? [] : conjunctsOf(join.condition);
  const leftDrops = join.type === "inner" || join.type === "right" || join.type === "semi";
  const rightDrops = join.type === "inner" || join.type === "left" || join.type === "semi" || join.type === "anti";
  const leftExtends = join.type === "right" || join.type === "full";
  const rightExtends = join.type === "left" || join.type === "full";
  const factsFor = (other: LogicalPlan, ownApply: boolean, nullExtends: boolean, narrows = false): Fact[] => [
    ...(nullExtends ? facts.map(extended) : facts).map((fact) => ({ ...fact, sources: [other, ...fact.sources] })),
    ...(ownApply ? own.map((condition) => ({ condition, sources: [other, ...around.outer], narrows })) : []),
  ];
  // The right of a lateral join may take columns of the left, as a subquery takes those of its query.
  const rightAround = join.lateral === true ? { ...around, outer: [join.left, ...around.outer] } : around;
  const left = bindPlan(join.left, factsFor(join.right, leftDrops, leftExtends, join.fromIn), around);
  const right = bindPlan(join.right, factsFor(join.left, rightDrops, rightExtends), rightAround);
  return left === join.left && right === join.right ? join : { ...join, left, right };
}

function extended(fact: Fact): Fact {
  return { ...fact, extended: true };
}

function substituted(fact: Fact, replacement: ReadonlyMap<number, Expr>): Fact {
  return { ...fact, condition: substituteColumns(fact.condition, replacement) };
}

function bindScan(scan: Scan, facts: readonly Fact[], around: Surroundings): LogicalPlan {
  const known: ArgumentSet[] = [];
  const equalities: { source: number; value: Expr; sources: readonly LogicalPlan[]; narrows: boolean }[] = [];
  const quals: PushedQual[] = [];
  const keyConditions: Expr[] = [];
  const alternatives = new Set(alternativesOf(scan.table).flat());
  let never = false;
  const bounds = bindingsOfBounds(
    facts.map((fact) => fact.condition),
    scan,
  );
  known.push(...bounds.flatMap((binding) => standaloneSet(binding, around)));
  if (bounds.some((binding) => binding.kind === "never")) never = true;
  for (const fact of facts) {
    for (const binding of bindingsIn(fact.condition, scan)) {
      if (binding.kind === "never") never = true;
      const sets = standaloneSet(binding, around);
      known.push(...sets);
      if (sets.length === 0 && binding.kind === "equals")
        equalities.push({ ...binding, sources: fact.sources, narrows: fact.narrows === true });
    }
    for (const condition of keyConditionsIn(fact.condition, scan)) {
      // A row without this one as its partner may fulfil what NULL fulfils.
      if (fact.extended !== true || strictColumns(condition).size > 0) keyConditions.push(condition);
    }
    for (const qual of qualsIn(fact.condition, scan)) {
      if (fact.extended === true && qual.operator === "is null") continue; // the NULL may be of the outer join
      const pushed = pushedQual(qual, around);
      if (pushed !== undefined && !quals.some((other) => samePredicate(other, pushed))) quals.push(pushed);
    }
  }
  const bound = new Set(known.flatMap((set) => set.sources));
  const conditions = facts.flatMap((fact) =>
    fact.extended !== true && cannotFail(fact.condition) && !isVolatile(fact.condition) ? [fact.condition] : [],
  );
  const candidates = equalities.flatMap(({ source, value, sources, narrows }): Candidate[] => {
    const column = scan.table.columns[source];
    const isKey = column.requiredKey === true || isOnlyArgument(column) || alternatives.has(source);
    const pages = isKey || narrows ? 0 : pagesOfWhole(scan, source);
    if (bound.has(source) || !(isKey || narrows || pages > 1)) return [];
    const piece = columnsOf(value).size === 0 ? undefined : smallestSource(sources, [value]);
    if (piece === undefined) return [];
    // An optional column waits for its values only when they are known to be fewer than the pages of a whole read.
    if (pages > 1 && (estimateRows(piece) ?? Number.POSITIVE_INFINITY) >= pages) return [];
    const whole = withCtes(piece, around);
    if (!isRepeatable(whole)) return [];
    return [{ source, value, sources, conditions, piece, around, reads: scansIn(whole) }];
  });
  around.found.set(scan.id, { scan, known, quals, candidates, keyConditions, never });
  return scan;
}

/** The predicate as the call gets it: a value that needs a query is computed by that query, before the call. */
function pushedQual({ source, operator, value }: PushedQual, around: Surroundings): PushedQual | undefined {
  if (value === undefined || !holdsSubquery(value))
    return value === undefined ? { source, operator } : { source, operator, value };
  const query = valueQuery(value, around);
  return query === undefined ? undefined : { source, operator, query };
}

/**
 * The query whose rows are the values of an expression that is no more than subqueries of its own and what needs no
 * relation; `undefined` when it would have to be computed twice and could differ.
 */
function valueQuery(value: Expr, around: Surroundings): LogicalPlan | undefined {
  if (columnsOf(value).size > 0) return undefined;
  const isSubquery = value.kind === "Subquery" && value.subqueryKind === "scalar";
  const plan = withCtes(isSubquery ? value.plan : oneRow(value, around.rules), around);
  return isRepeatable(plan) ? plan : undefined;
}

/** Whether a plan may run once more, before the statement: volatile functions would give other values, and writes happen. */
function isRepeatable(plan: LogicalPlan): boolean {
  return !isVolatilePlan(plan) && !plansWithin(plan).some(isWrite);
}

/** SELECT value */
function oneRow(value: Expr, rules: RuleContext): LogicalPlan {
  const column = {
    id: rules.newColumnId(),
    name: "value",
    type: value.type,
    typmod: value.typmod ?? -1,
    nullable: true,
  };
  return { kind: "Project", input: { kind: "Values", columns: [], rows: [[]] }, items: [{ column, expr: value }] };
}

/**
 * Pages that earlier whole reads of the table had, when the column is its primary key and could be asked for instead;
 * 0 where that is not known.
 */
function pagesOfWhole({ table }: Scan, source: number): number {
  if (table.kind !== "resource" || table.primaryKey.length !== 1) return 0;
  const { name, pushable } = table.columns[source];
  return pushable && name === table.primaryKey[0] ? (table.estimate?.()?.whole?.pages ?? 0) : 0;
}

/** The argument set of a binding that needs no other relation of the same query level. */
function standaloneSet(binding: Binding, around: Surroundings): ArgumentSet[] {
  switch (binding.kind) {
    case "never":
      return [];
    case "list":
      return [{ sources: binding.sources, values: { kind: "list", tuples: binding.tuples } }];
    case "array":
      return [{ sources: [binding.source], values: { kind: "array", array: binding.array } }];
    case "equals": {
      const plan = holdsSubquery(binding.value) ? valueQuery(binding.value, around) : undefined;
      return plan === undefined
        ? []
        : [{ sources: [binding.source], values: { kind: "query", plan, origin: "scalar" } }];
    }
    case "in": {
      const plan = withCtes(binding.plan, around);
      if (freeColumns(plan).size > 0 || !isRepeatable(plan)) return [];
      return [{ sources: binding.sources, values: { kind: "query", plan, origin: "in" } }];
    }
    case "union": {
      const union = unionQuery(binding.tuples, binding.plans, around.rules);
      const plan = union === undefined ? undefined : withCtes(union, around);
      if (plan === undefined || freeColumns(plan).size > 0 || !isRepeatable(plan)) return [];
      return [{ sources: binding.sources, values: { kind: "query", plan, origin: "union" } }];
    }
  }
}

/**
 * Decides where each key comes from. A scan can be read when all its keys have values: known ones, or columns of scans
 * that can be read before. Going round by round takes for each key the relation that is there first, and never one that
 * waits for the scan itself, as long as there is another.
 */
function chooseArguments(
  found: ReadonlyMap<number, ScanFindings>,
  rules: RuleContext,
): ReadonlyMap<number, PushedPredicates> {
  const chosen = new Map<number, PushedPredicates>();
  let open = [...found.values()];
  while (open.length > 0) {
    const isUsable = (candidate: Candidate) => isThere(candidate, found, chosen);
    const complete = open.filter((findings) => unbound(findings, isUsable, isWanted).length === 0);
    const possible = open.filter((findings) => unbound(findings, isUsable, isRequired).length === 0);
    // When nothing is ready, keys are missing or scans wait for each other: the first candidates show which.
    const ready = complete.length > 0 ? complete : possible;
    const round = ready.length > 0 ? ready : open;
    const usable = ready.length > 0 ? isUsable : () => true;
    const decided = round.map((findings) => [findings.scan.id, pushedFor(findings, usable, rules)] as const);
    for (const [id, pushed] of decided) chosen.set(id, pushed);
    open = open.filter((findings) => !chosen.has(findings.scan.id));
  }
  return chosen;
}

type NeedsValue = (column: TableColumn, hasCandidate: boolean) => boolean;
const isRequired: NeedsValue = (column) => column.requiredKey === true;
/**
 * A column that is only an argument has no values of its own: a join on it finds nothing unless the call is given them.
 * Where IN (SELECT …) says which values count, the call waits for them as well.
 */
const isWanted: NeedsValue = (column, hasCandidate) => column.requiredKey === true || hasCandidate;

/** Columns that need a value and get none, neither a known one nor one from a usable candidate. */
function unbound(
  { scan, known, candidates, never }: ScanFindings,
  isUsable: (candidate: Candidate) => boolean,
  needsValue: NeedsValue,
): number[] {
  if (never) return [];
  const wanted = new Set(candidates.map((candidate) => candidate.source));
  const bound = new Set([
    ...known.flatMap((set) => set.sources),
    ...candidates.filter(isUsable).map((candidate) => candidate.source),
  ]);
  const alternatives = alternativesOf(scan.table);
  const grouped = new Set(alternatives.flat());
  return [
    ...scan.table.columns.flatMap((column, i) =>
      !grouped.has(i) && needsValue(column, wanted.has(i)) && !bound.has(i) ? [i] : [],
    ),
    // One of each group is enough, whichever is there first.
    ...alternatives.flatMap((group) => (group.some((i) => bound.has(i)) ? [] : [group[0]])),
  ];
}

function scansIn(plan: LogicalPlan): number[] {
  return plansWithin(plan).flatMap((node) => (node.kind === "Scan" && node.table.kind === "resource" ? [node.id] : []));
}

/** Whether everything that a candidate's values are read from can be read already. */
function isThere(
  candidate: Candidate,
  found: ReadonlyMap<number, ScanFindings>,
  chosen: ReadonlyMap<number, PushedPredicates>,
): boolean {
  return candidate.reads.every((id) => chosen.has(id) || !found.has(id));
}

/** Keys that come from one piece of the plan go together, as tuples; so do those of two pieces that a third one joins. */
function pushedFor(
  findings: ScanFindings,
  isUsable: (candidate: Candidate) => boolean,
  rules: RuleContext,
): PushedPredicates {
  const groups = new Map<LogicalPlan, Candidate[]>();
  const taken = new Set<number>();
  const bound = new Set(findings.known.flatMap((set) => set.sources));
  const alternatives = alternativesOf(findings.scan.table);
  /** Another column of its group has a value: no call has to wait for this one. */
  const isSpare = (source: number) => {
    const groups = alternatives.filter((group) => group.includes(source));
    return groups.length > 0 && groups.every((group) => group.some((other) => bound.has(other) || taken.has(other)));
  };
  for (const candidate of byFewestRows(findings.candidates)) {
    if (taken.has(candidate.source) || !isUsable(candidate)) continue;
    // What is only an argument has no other value that the condition could be checked on.
    if (isSpare(candidate.source) && !isOnlyArgument(findings.scan.table.columns[candidate.source])) continue;
    taken.add(candidate.source);
    const group = groups.get(candidate.piece);
    if (group === undefined) groups.set(candidate.piece, [candidate]);
    else group.push(candidate);
  }
  const dependent = joinedGroups(findings.scan, [...groups.values()], isUsable).map((group): ArgumentSet => {
    const [{ around, conditions }] = group;
    const piece = filtered(group[0].piece, conditions);
    return {
      sources: group.map((candidate) => candidate.source),
      values: { kind: "query", plan: withCtes(distinctValues(piece, group, rules), around), origin: "join" },
    };
  });
  const pushed: PushedPredicates = {
    arguments: [...findings.known, ...dependent],
    quals: findings.quals,
    ...(findings.never && { never: true }),
  };
  return thinKeys(findings.scan, pushed, findings.keyConditions);
}

/**
 * Groups of keys whose pieces a larger piece holds together: the pairs that occur in it are fewer calls than every value of
 * the one with every value of the other.
 */
function joinedGroups(
  scan: Scan,
  groups: readonly (readonly Candidate[])[],
  isUsable: (candidate: Candidate) => boolean,
): readonly (readonly Candidate[])[] {
  const joined: (readonly Candidate[])[] = [];
  for (const group of groups) {
    const pieces = joined.map((other) => commonPiece(scan, other, group, isUsable));
    const at = pieces.findIndex((piece) => piece !== undefined);
    const piece = pieces[at];
    if (piece === undefined) joined.push(group);
    else joined[at] = [...joined[at], ...group].map((candidate) => ({ ...candidate, piece }));
  }
  return joined;
}

function commonPiece(
  scan: Scan,
  left: readonly Candidate[],
  right: readonly Candidate[],
  isUsable: (candidate: Candidate) => boolean,
): LogicalPlan | undefined {
  const [first] = left;
  const values = [...left, ...right].map((candidate) => candidate.value);
  const piece = smallestSource(first.sources, values) ?? smallestSource(right[0].sources, values);
  if (piece === undefined) return undefined;
  const whole = withCtes(piece, first.around);
  const reads = scansIn(whole);
  if (!isRepeatable(whole) || reads.includes(scan.id)) return undefined;
  return isUsable({ ...first, piece, reads }) ? piece : undefined;
}

/** The piece without the rows that no useful row is made of: `LEFT JOIN … ON key = p.x AND p.y` needs no key of other rows. */
function filtered(piece: LogicalPlan, conditions: readonly Expr[]): LogicalPlan {
  const own = idsOf(piece);
  const applied = new Set(
    plansWithin(piece).flatMap((node) => (node.kind === "Filter" ? conjunctsOf(node.condition) : [])),
  );
  const added = conditions.filter((condition) => {
    const ids = columnsOf(condition);
    return ids.size > 0 && !applied.has(condition) && [...ids].every((id) => own.has(id));
  });
  const condition = conjunctionOf(added);
  return condition === undefined ? piece : { kind: "Filter", input: piece, condition };
}

/** The relations with the fewest rows first, when all are known: each row may be a call. */
function byFewestRows(candidates: readonly Candidate[]): readonly Candidate[] {
  const rows = new Map(candidates.map(({ piece }) => [piece, estimateRows(piece)] as const));
  if (candidates.length < 2 || [...rows.values()].includes(undefined)) return candidates;
  return [...candidates].sort((a, b) => (rows.get(a.piece) ?? 0) - (rows.get(b.piece) ?? 0));
}

/** The plan with its scans' arguments written in, in subqueries too. */
function withPushed(plan: LogicalPlan, pushed: ReadonlyMap<number, PushedPredicates>): LogicalPlan {
  const node = mapBranches(
    mapSubplans(plan, (inner) => withPushed(inner, pushed)),
    (input) => withPushed(input, pushed),
  );
  if (node.kind !== "Scan") return node;
  const own = pushed.get(node.id);
  return own === undefined ? node : { ...node, pushed: own };
}

function distinctValues(source: LogicalPlan, items: readonly Candidate[], rules: RuleContext): LogicalPlan {
  return {
    kind: "Distinct",
    input: {
      kind: "Project",
      input: source,
      items: items.map(({ value }, i) => ({
        column: {
          id: rules.newColumnId(),
          name: `key${i + 1}`,
          type: value.type,
          typmod: value.typmod ?? -1,
          nullable: true,
        },
        expr: value,
      })),
    },
  };
}

/**
 * The smallest piece of the given plans that puts out all the columns and can run on its own. A larger piece would give
 * fewer keys where its joins drop rows; a smaller one waits for fewer relations. Rows too many are only fetched, not
 * answered, since the join itself is still carried out.
 */
function smallestSource(plans: readonly LogicalPlan[], values: readonly Expr[]): LogicalPlan | undefined {
  const ids = new Set(values.flatMap((value) => [...columnsOf(value)]));
  // Where all its columns are NULL an expression such as COALESCE has a value all the same: rows that an outer join
  // extends with NULL give keys then, too.
  const extendedToo = values.every((value) => strictColumns(value).size === 0);
  for (const plan of plans) {
    if (!putsOut(plan, ids)) continue;
    const piece = descend(plan, ids, extendedToo);
    if (freeColumns(piece).size === 0) return piece;
  }
  return undefined;
}

function descend(plan: LogicalPlan, ids: ReadonlySet<number>, extendedToo: boolean): LogicalPlan {
  if (plan.kind === "Join") {
    const leftExtends = plan.type === "right" || plan.type === "full";
    const rightExtends = plan.type === "left" || plan.type === "full";
    if (putsOut(plan.left, ids) && !(extendedToo && leftExtends)) return descend(plan.left, ids, extendedToo);
    if (putsOut(plan.right, ids) && !(extendedToo && rightExtends)) return descend(plan.right, ids, extendedToo);
    return plan;
  }
  if (plan.kind === "Filter") {
    const below = descend(plan.input, ids, extendedToo);
    return below === plan.input ? plan : below;
  }
  if (plan.kind === "Sort") return descend(plan.input, ids, extendedToo);
  return plan;
}

function putsOut(plan: LogicalPlan, ids: ReadonlySet<number>): boolean {
  const own = idsOf(plan);
  for (const id of ids) if (!own.has(id)) return false;
  return true;
}

/** The plan with the CTEs that it reads, so that it can run on its own. */
function withCtes(plan: LogicalPlan, around: Surroundings): LogicalPlan {
  if (around.ctes.length === 0) return plan;
  const needed = new Set<number>();
  collectCtes(plan, around.ctes, needed);
  if (needed.size === 0) return plan;
  return { kind: "With", ctes: around.ctes.filter((cte) => needed.has(cte.id)), input: plan };
}

function collectCtes(plan: LogicalPlan, ctes: readonly CteDefinition[], needed: Set<number>): void {
  for (const node of plansWithin(plan)) {
    if (node.kind !== "CteScan" || needed.has(node.cte)) continue;
    const cte = ctes.find((candidate) => candidate.id === node.cte);
    if (cte === undefined) continue;
    needed.add(cte.id);
    collectCtes(cte.plan, ctes, needed);
    if (cte.recursive !== undefined) collectCtes(cte.recursive.term, ctes, needed);
  }
}

function idsIn(columns: readonly { readonly id: number }[]): Set<number> {
  return new Set(columns.map((column) => column.id));
}
