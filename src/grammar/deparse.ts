/**
 * Trees → SQL that parses to the same tree, ranges apart. Keywords are in upper case, names quoted where they must be,
 * types under their catalog names, aliases with AS.
 */
import type * as ast from "./ast.js";
import { StatementPrinter } from "./deparse/statements.js";

export { quoteName, quoteString } from "./deparse/names.js";

const printer = new StatementPrinter();

/**
 * A statement as SQL, without a semicolon.
 * @throws SqlError 0A000 for what has no tree: an unsupported statement
 */
export function deparse(statement: ast.Statement): string {
  return printer.statement(statement);
}

/** An expression as SQL. */
export function deparseExpression(expression: ast.Expression): string {
  return printer.expression(expression);
}
