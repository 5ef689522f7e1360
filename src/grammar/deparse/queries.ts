/** Queries as SQL: SELECT, set operations, FROM, WITH. */
import type * as ast from "../ast.js";
import { level } from "../precedence.js";
import { ExpressionPrinter } from "./expressions.js";
import { qualifiedName, quoteName } from "./names.js";

export abstract class QueryPrinter extends ExpressionPrinter {
  /** INSERT, UPDATE and DELETE may stand in WITH. */
  protected abstract write(statement: ast.InsertStatement | ast.UpdateStatement | ast.DeleteStatement): string;

  query(query: ast.SelectStatement): string {
    const parts: string[] = [];
    if (query.with !== undefined) parts.push(this.with(query.with));
    parts.push(this.body(query.body));
    if (query.orderBy.length > 0) parts.push(this.orderBy(query.orderBy));
    if (query.limit !== undefined) parts.push(this.limit(query.limit, query.withTies));
    if (query.offset !== undefined) parts.push(`OFFSET ${this.expression(query.offset)}`);
    for (const clause of query.locking) parts.push(this.locking(clause));
    return parts.join(" ");
  }

  private limit(limit: ast.Expression, withTies: boolean): string {
    return withTies ? `FETCH FIRST (${this.expression(limit)}) ROWS WITH TIES` : `LIMIT ${this.expression(limit)}`;
  }

  private locking(clause: ast.LockingClause): string {
    const tables = clause.tables.length === 0 ? "" : ` OF ${clause.tables.map(qualifiedName).join(", ")}`;
    const wait = clause.wait === undefined ? "" : ` ${clause.wait.toUpperCase()}`;
    return `FOR ${clause.strength.toUpperCase()}${tables}${wait}`;
  }

  // Bodies ------------------------------------------------------------------------------------------------------------------

  private body(body: ast.QueryBody): string {
    switch (body.kind) {
      case "SelectCore":
        return this.select(body);
      case "ValuesClause":
        return `VALUES ${body.rows.map((row) => `(${this.list(row)})`).join(", ")}`;
      case "TableCommand":
        return `TABLE ${this.table(body.table)}`;
      case "SelectStatement":
        return `(${this.query(body)})`;
      case "SetOperation":
        return this.setOperation(body);
    }
  }

  /** A left-deep chain of set operations, from its innermost left operand on. */
  private setOperation(operation: ast.SetOperation): string {
    const links: ast.SetOperation[] = [operation];
    let left = operation.left;
    while (left.kind === "SetOperation" && bindsAt(left) >= bindsAt(links[links.length - 1])) {
      links.push(left);
      left = left.left;
    }
    const parts = [this.setOperand(left, bindsAt(links[links.length - 1]))];
    for (let i = links.length - 1; i >= 0; i--) {
      const { operator, all, right } = links[i];
      parts.push(operator.toUpperCase() + (all ? " ALL" : ""), this.setOperand(right, bindsAt(links[i]) + 1));
    }
    return parts.join(" ");
  }

  private setOperand(body: ast.QueryBody, min: number): string {
    const text = this.body(body);
    return body.kind === "SetOperation" && bindsAt(body) < min ? `(${text})` : text;
  }

  private select(core: ast.SelectCore): string {
    const parts = ["SELECT"];
    if (core.distinct !== undefined) {
      parts.push(core.distinct.on.length === 0 ? "DISTINCT" : `DISTINCT ON (${this.list(core.distinct.on)})`);
    }
    if (core.targets.length > 0) parts.push(this.targets(core.targets));
    if (core.into !== undefined) {
      parts.push(`INTO ${core.into.temporary ? "TEMPORARY " : ""}TABLE ${qualifiedName(core.into.name)}`);
    }
    if (core.from.length > 0) parts.push(`FROM ${this.fromItems(core.from)}`);
    if (core.where !== undefined) parts.push(`WHERE ${this.expression(core.where)}`);
    if (core.groupBy !== undefined) {
      const items = core.groupBy.items.map((item) => this.grouping(item)).join(", ");
      parts.push(`GROUP BY ${core.groupBy.distinct ? "DISTINCT " : ""}${items}`);
    }
    if (core.having !== undefined) parts.push(`HAVING ${this.expression(core.having)}`);
    if (core.windows.length > 0) {
      const windows = core.windows.map(
        ({ name, definition }) => `${quoteName(name.name)} AS ${this.window(definition)}`,
      );
      parts.push(`WINDOW ${windows.join(", ")}`);
    }
    return parts.join(" ");
  }

  protected targets(targets: readonly ast.SelectTarget[]): string {
    return targets
      .map(({ expression, alias }) => {
        const text = this.expression(expression);
        return alias === undefined ? text : `${text} AS ${quoteName(alias.name)}`;
      })
      .join(", ");
  }

  private grouping(item: ast.GroupingElement): string {
    switch (item.kind) {
      case "EmptyGroupingSet":
        return "()";
      case "Rollup":
      case "Cube":
        return `${item.kind.toUpperCase()} (${this.list(item.items)})`;
      case "GroupingSets":
        return `GROUPING SETS (${item.sets.map((set) => this.grouping(set)).join(", ")})`;
      default:
        return this.expression(item);
    }
  }

  // WITH --------------------------------------------------------------------------------------------------------------------

  protected with(clause: ast.WithClause): string {
    const ctes = clause.ctes.map((cte) => this.commonTableExpression(cte)).join(", ");
    return `WITH ${clause.recursive ? "RECURSIVE " : ""}${ctes}`;
  }

  private commonTableExpression(cte: ast.CommonTableExpression): string {
    const { statement, search, cycle } = cte;
    const materialized = cte.materialized === undefined ? "" : `${cte.materialized ? "" : "NOT "}MATERIALIZED `;
    const inner = statement.kind === "SelectStatement" ? this.query(statement) : this.write(statement);
    const parts = [`${quoteName(cte.name.name)}${this.columns(cte.columns)} AS ${materialized}(${inner})`];
    if (search !== undefined) {
      const columns = search.columns.map((column) => quoteName(column.name)).join(", ");
      parts.push(`SEARCH ${search.order.toUpperCase()} FIRST BY ${columns} SET ${quoteName(search.sequence.name)}`);
    }
    if (cycle !== undefined) {
      const columns = cycle.columns.map((column) => quoteName(column.name)).join(", ");
      const values =
        cycle.value === undefined || cycle.otherwise === undefined
          ? ""
          : ` TO ${this.operandOf(cycle.value)} DEFAULT ${this.operandOf(cycle.otherwise)}`;
      parts.push(`CYCLE ${columns} SET ${quoteName(cycle.mark.name)}${values} USING ${quoteName(cycle.path.name)}`);
    }
    return parts.join(" ");
  }

  /** An expression as a single operand. */
  protected operandOf(expression: ast.Expression): string {
    return this.operand(expression, level.atom);
  }

  // FROM --------------------------------------------------------------------------------------------------------------------

  protected fromItems(items: readonly ast.FromItem[]): string {
    return items.map((item) => this.fromItem(item)).join(", ");
  }

  protected fromItem(item: ast.FromItem): string {
    switch (item.kind) {
      case "TableReference":
        return this.table(item);
      case "SubqueryReference":
        return `${item.lateral ? "LATERAL " : ""}(${this.query(item.query)})${this.alias(item.alias)}`;
      case "FunctionReference":
        return this.function(item);
      case "JoinClause":
        return this.joins(item);
    }
  }

  protected table(table: ast.TableReference): string {
    const name = `${table.only ? "ONLY " : ""}${qualifiedName(table.name)}${this.alias(table.alias)}`;
    if (table.sample === undefined) return name;
    const { method, args, repeatable } = table.sample;
    const seed = repeatable === undefined ? "" : ` REPEATABLE (${this.expression(repeatable)})`;
    return `${name} TABLESAMPLE ${qualifiedName(method)} (${this.list(args)})${seed}`;
  }

  private alias(alias: ast.TableAlias | undefined): string {
    return alias === undefined ? "" : ` AS ${quoteName(alias.name.name)}${this.columns(alias.columns)}`;
  }

  private function(item: ast.FunctionReference): string {
    const lateral = item.lateral ? "LATERAL " : "";
    const ordinality = item.ordinality ? " WITH ORDINALITY" : "";
    if (item.rowsFrom) {
      const functions = item.functions.map(({ call, columns }) => {
        const described = columns.length === 0 ? "" : ` AS (${this.recordColumns(columns)})`;
        return this.tableCall(call) + described;
      });
      return `${lateral}ROWS FROM (${functions.join(", ")})${ordinality}${this.alias(item.alias)}`;
    }
    const { call, columns } = item.functions[0];
    const described = columns.length === 0 ? "" : ` (${this.recordColumns(columns)})`;
    const as = described !== "" && item.alias === undefined ? " AS" : "";
    return `${lateral}${this.tableCall(call)}${ordinality}${this.alias(item.alias)}${as}${described}`;
  }

  private tableCall(call: ast.Expression): string {
    if (call.kind !== "Cast") return this.expression(call);
    return `CAST(${this.expression(call.operand)} AS ${this.type(call.type)})`;
  }

  private recordColumns(columns: readonly ast.RecordColumn[]): string {
    return columns
      .map(({ name, type, collation }) => {
        const collate = collation === undefined ? "" : ` COLLATE ${qualifiedName(collation)}`;
        return `${quoteName(name.name)} ${this.type(type)}${collate}`;
      })
      .join(", ");
  }

  /** A left-deep chain of joins, from its innermost left item on. */
  private joins(join: ast.JoinClause): string {
    if (join.alias !== undefined) return `(${this.joinChain(join)})${this.alias(join.alias)}`;
    return this.joinChain(join);
  }

  private joinChain(join: ast.JoinClause): string {
    const links: ast.JoinClause[] = [join];
    let left = join.left;
    while (left.kind === "JoinClause" && left.alias === undefined) {
      links.push(left);
      left = left.left;
    }
    const parts = [this.fromItem(left)];
    for (let i = links.length - 1; i >= 0; i--) {
      const { natural, type, right, on, using } = links[i];
      const words = `${natural ? "NATURAL " : ""}${type === "inner" ? "" : `${type.toUpperCase()} `}JOIN`;
      const nested = right.kind === "JoinClause" && right.alias === undefined;
      parts.push(words, nested ? `(${this.fromItem(right)})` : this.fromItem(right));
      if (on !== undefined) parts.push(`ON ${this.expression(on)}`);
      if (using !== undefined) {
        const alias = using.alias === undefined ? "" : ` AS ${quoteName(using.alias.name)}`;
        parts.push(`USING${this.columns(using.columns)}${alias}`);
      }
    }
    return parts.join(" ");
  }
}

/** INTERSECT binds tighter than UNION and EXCEPT. */
function bindsAt(operation: ast.SetOperation): number {
  return operation.operator === "intersect" ? 2 : 1;
}
