/**
 * What stands directly below a node of a plan or an expression, and the node with these parts replaced. Functions give
 * back the same object when nothing changed. `visit.ts` goes deeper with them.
 */
import type { AggregateCall, Expr, SetCall, SortKey, WindowCall } from "./expr.js";
import type { ArgumentSet, LogicalPlan, ProjectItem } from "./plan.js";

/** The direct inputs of a node, left to right. Plans inside expressions are not among them. */
export function inputsOf(plan: LogicalPlan): readonly LogicalPlan[] {
  switch (plan.kind) {
    case "Scan":
    case "Values":
    case "FunctionScan":
    case "CteScan":
    case "Empty":
    case "Materialized":
      return [];
    case "Join":
    case "SetOperation":
      return [plan.left, plan.right];
    case "With":
      return [
        ...plan.ctes.flatMap((cte) => (cte.recursive === undefined ? [cte.plan] : [cte.plan, cte.recursive.term])),
        plan.input,
      ];
    default:
      return [plan.input];
  }
}

/** The node with each input replaced. */
export function mapInputs(plan: LogicalPlan, change: (input: LogicalPlan) => LogicalPlan): LogicalPlan {
  switch (plan.kind) {
    case "Scan":
    case "Values":
    case "FunctionScan":
    case "CteScan":
    case "Empty":
    case "Materialized":
      return plan;
    case "Join":
    case "SetOperation": {
      const left = change(plan.left);
      const right = change(plan.right);
      return left === plan.left && right === plan.right ? plan : { ...plan, left, right };
    }
    case "With": {
      const ctes = mapList(plan.ctes, (cte) => {
        const body = change(cte.plan);
        const term = cte.recursive === undefined ? undefined : change(cte.recursive.term);
        if (body === cte.plan && term === cte.recursive?.term) return cte;
        return {
          ...cte,
          plan: body,
          ...(cte.recursive !== undefined && term !== undefined && { recursive: { ...cte.recursive, term } }),
        };
      });
      const input = change(plan.input);
      return ctes === plan.ctes && input === plan.input ? plan : { ...plan, ctes, input };
    }
    default: {
      const input = change(plan.input);
      return input === plan.input ? plan : ({ ...plan, input } as LogicalPlan);
    }
  }
}

/** The expressions of a node itself, without those of its inputs. */
export function expressionsOf(plan: LogicalPlan): readonly Expr[] {
  const found: Expr[] = [];
  mapExpressions(plan, (expr) => {
    found.push(expr);
    return expr;
  });
  return found;
}

/** The node with each of its own expressions replaced. */
export function mapExpressions(plan: LogicalPlan, change: (expr: Expr) => Expr): LogicalPlan {
  switch (plan.kind) {
    case "CteScan":
    case "Empty":
    case "Materialized":
    case "SetOperation":
    case "With":
      return plan;
    case "Scan": {
      if (plan.pushed === undefined) return plan;
      const { pushed } = plan;
      const args = mapList(pushed.arguments, (set) => mapArgumentSet(set, change));
      const quals = mapList(pushed.quals, (qual) => {
        const value = qual.value === undefined ? undefined : change(qual.value);
        return value === qual.value ? qual : { ...qual, value };
      });
      const keyFilter = pushed.keyFilter === undefined ? undefined : change(pushed.keyFilter);
      const isPushedSame = args === pushed.arguments && quals === pushed.quals && keyFilter === pushed.keyFilter;
      const fetchSum = plan.fetchSum === undefined ? undefined : mapList(plan.fetchSum, change);
      const exactFilter = plan.exactFilter === undefined ? undefined : change(plan.exactFilter);
      if (isPushedSame && fetchSum === plan.fetchSum && exactFilter === plan.exactFilter) return plan;
      return {
        ...plan,
        pushed: isPushedSame
          ? pushed
          : { ...pushed, arguments: args, quals, ...(keyFilter !== undefined && { keyFilter }) },
        ...(fetchSum !== undefined && { fetchSum }),
        ...(exactFilter !== undefined && { exactFilter }),
      };
    }
    case "Values": {
      const rows = mapList(plan.rows, (row) => mapList(row, change));
      return rows === plan.rows ? plan : { ...plan, rows };
    }
    case "FunctionScan": {
      const calls = mapList(plan.calls, (call) => {
        if ("scalar" in call) {
          const scalar = change(call.scalar);
          return scalar === call.scalar ? call : { ...call, scalar };
        }
        return mapSetCall(call, change);
      });
      return calls === plan.calls ? plan : { ...plan, calls };
    }
    case "Filter": {
      const condition = change(plan.condition);
      return condition === plan.condition ? plan : { ...plan, condition };
    }
    case "Project": {
      const items = mapItems(plan.items, change);
      return items === plan.items ? plan : { ...plan, items };
    }
    case "ProjectSet": {
      const calls = mapList(plan.calls, (call) => mapSetCall(call, change));
      return calls === plan.calls ? plan : { ...plan, calls };
    }
    case "Join": {
      if (plan.condition === undefined) return plan;
      const condition = change(plan.condition);
      return condition === plan.condition ? plan : { ...plan, condition };
    }
    case "Aggregate": {
      const keys = mapItems(plan.keys, change);
      const aggregates = mapList(plan.aggregates, (item) => {
        const call = mapAggregateCall(item.call, change);
        return call === item.call ? item : { ...item, call };
      });
      return keys === plan.keys && aggregates === plan.aggregates ? plan : { ...plan, keys, aggregates };
    }
    case "Window": {
      const partitionBy = mapList(plan.partitionBy, change);
      const orderBy = mapSortKeys(plan.orderBy, change);
      const calls = mapList(plan.calls, (item) => {
        const call = mapWindowCall(item.call, change);
        const start = item.frame.start.offset === undefined ? undefined : change(item.frame.start.offset);
        const end = item.frame.end.offset === undefined ? undefined : change(item.frame.end.offset);
        if (call === item.call && start === item.frame.start.offset && end === item.frame.end.offset) return item;
        const frame = {
          ...item.frame,
          start: { ...item.frame.start, offset: start },
          end: { ...item.frame.end, offset: end },
        };
        return { ...item, call, frame };
      });
      return partitionBy === plan.partitionBy && orderBy === plan.orderBy && calls === plan.calls
        ? plan
        : { ...plan, partitionBy, orderBy, calls };
    }
    case "Sort": {
      const keys = mapSortKeys(plan.keys, change);
      return keys === plan.keys ? plan : { ...plan, keys };
    }
    case "Limit": {
      const fetch = plan.fetch === undefined ? undefined : change(plan.fetch);
      const skip = plan.skip === undefined ? undefined : change(plan.skip);
      const withTies = plan.withTies === undefined ? undefined : mapSortKeys(plan.withTies, change);
      return fetch === plan.fetch && skip === plan.skip && withTies === plan.withTies
        ? plan
        : { ...plan, fetch, skip, withTies };
    }
    case "Distinct": {
      if (plan.on === undefined) return plan;
      const on = mapList(plan.on, change);
      return on === plan.on ? plan : { ...plan, on };
    }
    case "Write": {
      const assignments = plan.assignments === undefined ? undefined : mapList(plan.assignments, change);
      const returning = plan.returning === undefined ? undefined : mapItems(plan.returning, change);
      const defaults =
        plan.defaults === undefined
          ? undefined
          : mapList(plan.defaults, (item) => {
              const expr = change(item.expr);
              return expr === item.expr ? item : { ...item, expr };
            });
      let onConflict = plan.onConflict;
      if (onConflict !== undefined) {
        const sets = onConflict.assignments === undefined ? undefined : mapList(onConflict.assignments, change);
        const where = onConflict.where === undefined ? undefined : change(onConflict.where);
        if (sets !== onConflict.assignments || where !== onConflict.where)
          onConflict = { ...onConflict, assignments: sets, where };
      }
      return assignments === plan.assignments &&
        returning === plan.returning &&
        defaults === plan.defaults &&
        onConflict === plan.onConflict
        ? plan
        : { ...plan, assignments, returning, defaults, onConflict };
    }
    case "Merge": {
      const matched = change(plan.matched);
      const actions = mapList(plan.actions, (action) => {
        const condition = action.condition === undefined ? undefined : change(action.condition);
        const values = mapList(action.values, change);
        return condition === action.condition && values === action.values ? action : { ...action, condition, values };
      });
      return matched === plan.matched && actions === plan.actions ? plan : { ...plan, matched, actions };
    }
  }
}

/** The direct operands of an expression. The plan of a subquery is not among them, its `test` is. */
export function operandsOf(expr: Expr): readonly Expr[] {
  const found: Expr[] = [];
  mapOperands(expr, (operand) => {
    found.push(operand);
    return operand;
  });
  return found;
}

/** The expression with each direct operand replaced. A call that is only bound comparison (`equals`) is changed with the rest. */
export function mapOperands(expr: Expr, change: (operand: Expr) => Expr): Expr {
  switch (expr.kind) {
    case "Constant":
    case "Parameter":
    case "Column":
    case "Grouping":
      return expr;
    case "Call":
    case "And":
    case "Or":
    case "Coalesce":
    case "MinMax": {
      const args = mapList(expr.args, change);
      return args === expr.args ? expr : ({ ...expr, args } as Expr);
    }
    case "Cast":
    case "Not":
    case "IsNull":
    case "BooleanTest":
    case "Field": {
      const input = change(expr.input);
      return input === expr.input ? expr : { ...expr, input };
    }
    case "IsDistinct": {
      const left = change(expr.left);
      const right = change(expr.right);
      return left === expr.left && right === expr.right ? expr : { ...expr, left, right };
    }
    case "Case": {
      const operand = expr.operand === undefined ? undefined : change(expr.operand);
      const branches = mapList(expr.branches, (branch) => {
        const when = change(branch.when);
        const then = change(branch.then);
        return when === branch.when && then === branch.then ? branch : { when, then };
      });
      const otherwise = change(expr.otherwise);
      return operand === expr.operand && branches === expr.branches && otherwise === expr.otherwise
        ? expr
        : { ...expr, operand, branches, otherwise };
    }
    case "NullIf": {
      const input = change(expr.input);
      const equals = change(expr.equals);
      return input === expr.input && equals === expr.equals ? expr : { ...expr, input, equals };
    }
    case "InList": {
      const input = change(expr.input);
      const items = mapList(expr.items, change);
      return input === expr.input && items === expr.items ? expr : { ...expr, input, items };
    }
    case "ArrayComparison": {
      const input = change(expr.input);
      const array = change(expr.array);
      return input === expr.input && array === expr.array ? expr : { ...expr, input, array };
    }
    case "Array":
    case "Row": {
      const items = mapList(expr.items, change);
      return items === expr.items ? expr : ({ ...expr, items } as Expr);
    }
    case "Subscript": {
      const input = change(expr.input);
      const subscripts = mapList(expr.subscripts, (subscript) => {
        const lower = subscript.lower === undefined ? undefined : change(subscript.lower);
        const upper = subscript.upper === undefined ? undefined : change(subscript.upper);
        return lower === subscript.lower && upper === subscript.upper ? subscript : { ...subscript, lower, upper };
      });
      return input === expr.input && subscripts === expr.subscripts ? expr : { ...expr, input, subscripts };
    }
    case "RowCompare": {
      const left = mapList(expr.left, change);
      const right = mapList(expr.right, change);
      return left === expr.left && right === expr.right ? expr : { ...expr, left, right };
    }
    case "Subquery": {
      if (expr.test === undefined) return expr;
      const test = change(expr.test);
      return test === expr.test ? expr : { ...expr, test };
    }
  }
}

function mapArgumentSet(set: ArgumentSet, change: (expr: Expr) => Expr): ArgumentSet {
  const { values } = set;
  if (values.kind === "list") {
    const tuples = mapList(values.tuples, (tuple) => mapList(tuple, change));
    return tuples === values.tuples ? set : { ...set, values: { ...values, tuples } };
  }
  if (values.kind === "array") {
    const array = change(values.array);
    return array === values.array ? set : { ...set, values: { ...values, array } };
  }
  return set;
}

function mapAggregateCall(call: AggregateCall, change: (expr: Expr) => Expr): AggregateCall {
  const args = mapList(call.args, change);
  const orderBy = mapSortKeys(call.orderBy, change);
  const filter = call.filter === undefined ? undefined : change(call.filter);
  const directArgs = call.directArgs === undefined ? undefined : mapList(call.directArgs, change);
  const bySet = call.directBySet;
  const directBySet = bySet === undefined ? undefined : mapList(bySet, (exprs) => mapList(exprs, change));
  return args === call.args &&
    orderBy === call.orderBy &&
    filter === call.filter &&
    directArgs === call.directArgs &&
    directBySet === bySet
    ? call
    : { ...call, args, orderBy, filter, directArgs, ...(directBySet && { directBySet }) };
}

function mapWindowCall(call: WindowCall, change: (expr: Expr) => Expr): WindowCall {
  const args = mapList(call.args, change);
  const filter = call.filter === undefined ? undefined : change(call.filter);
  return args === call.args && filter === call.filter ? call : { ...call, args, filter };
}

function mapSetCall(call: SetCall, change: (expr: Expr) => Expr): SetCall {
  const args = mapList(call.args, change);
  return args === call.args ? call : { ...call, args };
}

function mapSortKeys(keys: readonly SortKey[], change: (expr: Expr) => Expr): readonly SortKey[] {
  return mapList(keys, (key) => {
    const expr = change(key.expr);
    return expr === key.expr ? key : { ...key, expr };
  });
}

function mapItems(items: readonly ProjectItem[], change: (expr: Expr) => Expr): readonly ProjectItem[] {
  return mapList(items, (item) => {
    const expr = change(item.expr);
    return expr === item.expr ? item : { ...item, expr };
  });
}

/** `list.map(change)`, but the same array when no element changed. */
export function mapList<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = change(list[i]);
    if (changed !== undefined) changed.push(item);
    else if (item !== list[i]) changed = [...list.slice(0, i), item];
  }
  return changed ?? list;
}
