/**
 * What a syntax error says: PostgreSQL's message and position, and a hint that names what was possible there.
 *
 * The statement is parsed a second time with every decision of the parser noted; those made on the failing token are
 * the possibilities. Only a statement that fails pays for that.
 */
import type { TokenType } from "chevrotain";
import { editDistance } from "../errors/did-you-mean.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SqlToken } from "./lexer.js";
import { UnexpectedToken } from "./parser/base.js";
import type { SqlParser } from "./parser/statements.js";
import * as t from "./tokens.js";

/** Most possibilities that a hint lists. */
const listed = 8;

/** Runs the parse again; the caller's own way of starting it. */
export type Rerun = () => void;

/** The error for the token at which a parse failed. */
export function syntaxError(
  sql: string,
  tokens: readonly SqlToken[],
  failed: SqlToken,
  parser: SqlParser,
  rerun: Rerun,
): SqlError {
  const atEnd = failed.tokenType.name === "EOF";
  const message = atEnd ? "syntax error at end of input" : `syntax error at or near "${failed.image}"`;
  const index = atEnd ? tokens.length : tokens.indexOf(failed);
  const previous = tokens[index - 1];
  const possible = possibilities(parser, failed, previous, rerun);
  const hint =
    misspelling(failed, previous, possible) ??
    reservedName(failed, tokens[index + 1], possible.here) ??
    expectation(possible.here, parser);
  return new SqlError(sqlstate.syntaxError, message, {
    position: (atEnd ? sql.length : failed.startOffset) + 1,
    hint,
  });
}

interface Possibilities {
  readonly here: ReadonlySet<TokenType>;
  /** What was possible one token earlier, where a misspelt keyword may have been taken for a name. */
  readonly before: ReadonlySet<TokenType>;
}

function possibilities(
  parser: SqlParser,
  failed: SqlToken,
  previous: SqlToken | undefined,
  rerun: Rerun,
): Possibilities {
  const here = new Set<TokenType>();
  const before = new Set<TokenType>();
  parser.lookahead.note = (token, possible) => {
    const found = token === failed ? here : token === previous ? before : undefined;
    if (found !== undefined) for (const type of possible) found.add(type);
  };
  try {
    rerun();
  } catch (error) {
    // The same failure as before is what the second run is for.
    if (!(error instanceof UnexpectedToken) && !(error instanceof SqlError)) throw error;
  } finally {
    parser.lookahead.note = undefined;
  }
  if (parser.wanted !== undefined) here.add(parser.wanted);
  return { here, before };
}

/** "Did you mean …?" when the failing word, or the name before it, is a keyword with a slip in it. */
function misspelling(failed: SqlToken, previous: SqlToken | undefined, possible: Possibilities): string | undefined {
  // A slip behind a table or a column was read as its alias, and what could have stood there still may.
  const word =
    nearestKeyword(failed, possible.here) ?? nearestKeyword(previous, new Set([...possible.before, ...possible.here]));
  return word === undefined ? undefined : `Did you mean ${word}?`;
}

function nearestKeyword(token: SqlToken | undefined, possible: ReadonlySet<TokenType>): string | undefined {
  if (token === undefined || token.tokenType !== t.Identifier || token.image[0] === '"') return undefined;
  if (token.value.length < 3) return undefined;
  const limit = token.value.length < 6 ? 2 : 3;
  let best: string | undefined;
  let bestDistance: number = limit;
  for (const type of possible) {
    const word = type.name.toLowerCase();
    if (!t.keywordTokens.has(word)) continue;
    // Of two words that are equally near the one of the same length is likelier: FORM is FROM, not FOR.
    const distance = editDistance(token.value, word, limit) + (word.length === token.value.length ? 0 : 0.5);
    if (distance < bestDistance) {
      best = type.name;
      bestDistance = distance;
    }
  }
  return best;
}

const nameCategories: ReadonlySet<TokenType> = new Set([
  t.ColumnName,
  t.TypeOrFunctionName,
  t.NameStart,
  t.ColumnLabel,
  t.BareLabel,
]);

/** Keywords that nobody means as a name: they go on with the statement. */
const structure: ReadonlySet<string> = new Set(
  (
    "select from where having union intersect except join inner cross natural on and or not then when else as in is " +
    "like ilike between using with values into returning"
  ).split(" "),
);

/** A keyword where a name was expected has to be quoted. */
function reservedName(failed: SqlToken, next: SqlToken | undefined, here: ReadonlySet<TokenType>): string | undefined {
  const kind = t.keywordClasses.get(failed.value);
  if (kind === undefined || kind === "unreserved" || failed.tokenType === t.Identifier) return undefined;
  if (structure.has(failed.value) || next?.tokenType === t.kw.by) return undefined;
  if (![...here].some((type) => nameCategories.has(type))) return undefined;
  return `"${failed.value}" is a ${kind === "reserved" ? "reserved word" : "key word"}; to use it as a name, write it in double quotes: "${failed.value}".`;
}

/** What follows an operand: summed up as "an operator". */
const afterOperand: ReadonlySet<TokenType> = new Set([
  ...[t.InfixSign, t.kw.operator, t.kw.and, t.kw.or, t.kw.is, t.kw.isnull, t.kw.notnull, t.kw.between, t.kw.in],
  ...[t.kw.like, t.kw.ilike, t.kw.similar, t.kw.not, t.kw.at, t.kw.collate, t.kw.overlaps, t.TypeCast, t.Dot],
  ...[t.LeftParen, t.LeftBracket, t.StringToken, t.kw.within, t.kw.filter, t.kw.over],
]);

function expectation(here: ReadonlySet<TokenType>, parser: SqlParser): string | undefined {
  const left = new Set(here);
  const summary: string[] = [];
  if (left.has(t.IntegerToken) && left.has(t.kw.case)) {
    for (const type of parser.lookahead.firstOfRule(parser.getGAstProductions()["expression"])) left.delete(type);
    summary.push("an expression");
  } else if (left.has(t.LeftBracket) || left.has(t.InfixSign)) {
    if (!left.has(t.kw.fetch)) left.delete(t.kw.for);
    for (const type of afterOperand) left.delete(type);
  }
  const labels = [...left].map((type) => type.LABEL ?? type.name);
  const isWord = (label: string) => label[0] >= "A" && label[0] <= "Z";
  const sorted = [...labels.filter(isWord), ...labels.filter((label) => !isWord(label) && label !== "a name")];
  const all = [...new Set([...summary, ...sorted, ...labels.filter((label) => label === "a name")])];
  if (all.length === 0) return undefined;
  if (all.length > listed) return `Expected ${all.slice(0, listed).join(", ")}, ….`;
  const last = all.pop();
  return all.length === 0 ? `Expected ${last}.` : `Expected ${all.join(", ")} or ${last}.`;
}
