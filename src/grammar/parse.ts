/** SQL text → statements. The one parser of the process is built at the first use. */
import type * as ast from "./ast.js";
import { type SqlToken, tokenize } from "./lexer.js";
import { defaultMaxDepth, tooDeep, UnexpectedToken } from "./parser/base.js";
import { SqlParser } from "./parser/statements.js";
import { syntaxError } from "./syntax-error.js";

/** Limits of a parse. */
export interface ParseOptions {
  /** How deep expressions and queries may be nested; 54001 beyond. */
  readonly maxDepth?: number;
}

let instance: SqlParser | undefined;

function theParser(): SqlParser {
  instance ??= new SqlParser();
  return instance;
}

/**
 * Reads a script of SQL statements.
 * @returns the statements in order; empty ones (`;;`) are dropped
 * @throws SqlError 42601 with PostgreSQL's wording, position and the words that were possible; 54001 when too deep;
 *   0A000 for syntax outside the surface; 22021 and others for literals that cannot be read
 */
export function parse(sql: string, options: ParseOptions = {}): ast.Statement[] {
  return run(sql, options, (parser) => parser.script());
}

/** Reads one expression, as it could stand in a SELECT. */
export function parseExpression(text: string, options: ParseOptions = {}): ast.Expression {
  return run(text, options, (parser) => parser.soleExpression());
}

/** Reads a type in any of PostgreSQL's spellings: `character varying(10)[]`, `timestamp with time zone`. */
export function parseTypeName(text: string): ast.TypeName {
  return run(text, {}, (parser) => parser.soleTypeName());
}

function run<T>(sql: string, options: ParseOptions, rule: (parser: SqlParser) => T): T {
  const parser = theParser();
  const tokens = tokenize(sql);
  const maxDepth = options.maxDepth ?? defaultMaxDepth;
  parser.begin(tokens, maxDepth);
  let failed: SqlToken;
  try {
    const result = rule(parser);
    if (parser.errors.length === 0) return result;
    failed = parser.errors[0].token as SqlToken;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(maxDepth);
    if (!(error instanceof UnexpectedToken)) throw error;
    failed = error.token;
  }
  if (failed.error !== undefined) throw failed.error;
  throw syntaxError(sql, tokens, failed, parser, () => {
    parser.begin(tokens, maxDepth);
    rule(parser);
  });
}
