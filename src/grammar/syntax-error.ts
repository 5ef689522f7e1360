import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SqlToken } from "./lexer.js";
import type { SqlParser } from "./parser/statements.js";
export function syntaxError(sql: string, _tokens: readonly SqlToken[], failed: SqlToken, _parser: SqlParser, _rule: (parser: SqlParser) => unknown): SqlError {
  const atEnd = failed.tokenType.name === "EOF";
  const message = atEnd ? "syntax error at end of input" : `syntax error at or near "${failed.image}"`;
  return new SqlError(sqlstate.syntaxError, message, { position: (atEnd ? sql.length : failed.startOffset) + 1 });
}
