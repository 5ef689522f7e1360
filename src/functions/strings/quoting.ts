/** quote_ident, quote_literal, parse_ident: SQL names and literals as text. Source: PostgreSQL 15, 9.4. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { ScalarFunction } from "../function.js";
import { castToText, pure } from "./define.js";

/** Key words that cannot stand as a name everywhere (all but the unreserved ones of appendix C). */
const keywords = new Set(
  (
    "all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast " +
    "char character check coalesce collate collation column concurrently constraint create cross current_catalog " +
    "current_date current_role current_schema current_time current_timestamp current_user dec decimal default " +
    "deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full grant " +
    "greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull join " +
    "lateral leading least left like limit localtime localtimestamp national natural nchar none normalize not notnull " +
    "null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real " +
    "references returning right row select session_user setof similar smallint some substring symmetric table " +
    "tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic " +
    "verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse " +
    "xmlpi xmlroot xmlserialize xmltable"
  ).split(" "),
);

/** The name, in double quotes when SQL needs them. */
export function quoteIdentifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !keywords.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** The text as a string literal; with a backslash in it as an escape string. */
export function quoteLiteral(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return doubled.includes("\\") ? `E'${doubled.replaceAll("\\", "\\\\")}'` : `'${doubled}'`;
}

export const quotingFunctions: readonly ScalarFunction[] = [
  pure("quote_ident", ["text"], "text", quoteIdentifier),
  pure("quote_literal", ["text"], "text", quoteLiteral),
  {
    kind: "scalar",
    name: "quote_literal",
    args: ["anyelement"],
    returns: "text",
    volatility: "stable",
    strict: true,
    specialize({ argTypes, session }) {
      const toText = castToText(argTypes[0], session);
      return (value: unknown) => quoteLiteral(toText(value));
    },
  },
  {
    kind: "scalar",
    name: "quote_nullable",
    args: ["text"],
    returns: "text",
    volatility: "immutable",
    strict: false,
    call: (text: string | null) => (text === null ? "NULL" : quoteLiteral(text)),
  },
  {
    kind: "scalar",
    name: "quote_nullable",
    args: ["anyelement"],
    returns: "text",
    volatility: "stable",
    strict: false,
    specialize({ argTypes, session }) {
      const toText = castToText(argTypes[0], session);
      return (value: unknown) => (value === null ? "NULL" : quoteLiteral(toText(value)));
    },
  },
  {
    kind: "scalar",
    name: "parse_ident",
    args: ["text", "bool"],
    argNames: ["str", "strict"],
    defaults: [true],
    returns: "text[]",
    volatility: "immutable",
    strict: true,
    call: parseIdentifier,
  },
];

/** Splits `a."B".c` into its names; without `strict`, what follows the last name is ignored. */
function parseIdentifier(text: string, strict: boolean): string[] {
  const names: string[] = [];
  let at = skipSpace(text, 0);
  let afterDot = false;
  for (;;) {
    let found = false;
    if (text[at] === '"') {
      let name = "";
      let from = at + 1;
      for (;;) {
        const close = text.indexOf('"', from);
        if (close === -1) throw invalidIdentifier(text, "String has unclosed double quotes.");
        name += text.slice(from, close);
        at = close + 1;
        if (text[at] !== '"') break;
        name += '"';
        from = at + 1;
      }
      if (name === "") throw invalidIdentifier(text, "Quoted identifier must not be empty.");
      names.push(name);
      found = true;
    } else if (startsName(text[at])) {
      const start = at;
      while (at < text.length && continuesName(text[at])) at++;
      names.push(lowerAscii(text.slice(start, at)));
      found = true;
    }
    if (!found) {
      if (text[at] === ".") throw invalidIdentifier(text, 'No valid identifier before ".".');
      if (afterDot) throw invalidIdentifier(text, 'No valid identifier after ".".');
      throw invalidIdentifier(text);
    }
    at = skipSpace(text, at);
    if (text[at] === ".") {
      afterDot = true;
      at = skipSpace(text, at + 1);
    } else if (at >= text.length || !strict) return names;
    else throw invalidIdentifier(text);
  }
}

/** Names fold to lower case in ASCII only, as in a UTF-8 database. */
function lowerAscii(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function startsName(unit: string | undefined): boolean {
  return unit !== undefined && (unit === "_" || /[A-Za-z]/.test(unit) || unit >= "\x80");
}

function continuesName(unit: string): boolean {
  return startsName(unit) || (unit >= "0" && unit <= "9") || unit === "$";
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] === " " || (text[at] >= "\t" && text[at] <= "\r"))) at++;
  return at;
}

function invalidIdentifier(text: string, detail?: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `string is not a valid identifier: "${text}"`, { detail });
}
