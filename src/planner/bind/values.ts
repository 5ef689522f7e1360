/** VALUES as a relation. Source: PostgreSQL 15, 7.7 "VALUES Lists". */
import type * as ast from "../../grammar/ast.js";
import type { Expr } from "../expr.js";
import { keepCollation } from "./collations.js";
import { commonType, commonTypmod, toCommonType } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { relationOf } from "./from-clause.js";
import type { Relation } from "./relation.js";
import { bindExpressionList } from "./rows.js";
import { inClause, newColumn, type QueryLevel } from "./state.js";

export function bindValues(node: ast.ValuesClause, level: QueryLevel): Relation {
  const rows = inClause(level, "VALUES", () => bindRows(node.rows, level));
  const width = rows[0].length;
  const columns = Array.from({ length: width }, (_, i) => {
    const column = rows.map((row) => row[i]);
    const type = commonType(column, "VALUES", level);
    const made = newColumn(level.state, {
      name: `column${i + 1}`,
      type,
      typmod: commonTypmod(column, type),
      nullable: column.some((expr) => expr.kind !== "Constant" || expr.value === null),
    });
    keepCollation(made, column, level);
    return made;
  });
  const typed = rows.map((row) => row.map((expr, i) => toCommonType(expr, columns[i].type, "VALUES", level)));
  return relationOf({ kind: "Values", columns, rows: typed }, columns, "*VALUES*", undefined, level);
}

/** The rows of VALUES lists, all of one length. */
function bindRows(nodes: readonly (readonly ast.Expression[])[], level: QueryLevel): readonly (readonly Expr[])[] {
  const rows: (readonly Expr[])[] = [];
  for (const node of nodes) {
    const row = bindExpressionList(node, level);
    if (rows.length > 0 && row.length !== rows[0].length) {
      throw syntaxError("VALUES lists must all be the same length", node.length > 0 ? at(node[0]) : undefined);
    }
    rows.push(row);
  }
  return rows;
}
