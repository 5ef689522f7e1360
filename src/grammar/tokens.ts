/**
 * The words and signs of the language: PostgreSQL 15's keywords in their four classes, and one Chevrotain token type each.
 *
 * Source: PostgreSQL 15, appendix C "SQL Key Words" and `pg_get_keywords()`.
 */
import { createToken, Lexer, type TokenType } from "chevrotain";

const words = <const T extends string>(text: T): Words<T>[] => text.split(/\s+/) as Words<T>[];
type Words<T extends string> = T extends `${infer A} ${infer B}` ? A | Words<B> : T;

/** May be any name. */
const unreserved = [
  ...words("abort absolute access action add admin after aggregate also alter always asensitive assertion assignment"),
  ...words("at atomic attach attribute backward before begin breadth by cache call called cascade cascaded catalog"),
  ...words("chain characteristics checkpoint class close cluster columns comment comments commit committed"),
  ...words("compression configuration conflict connection constraints content continue conversion copy cost csv cube"),
  ...words("current cursor cycle data database day deallocate declare defaults deferred definer delete delimiter"),
  ...words("delimiters depends depth detach dictionary disable discard document domain double drop each enable"),
  ...words("encoding encrypted enum escape event exclude excluding exclusive execute explain expression extension"),
  ...words("external family filter finalize first following force forward function functions generated global granted"),
  ...words("groups handler header hold hour identity if immediate immutable implicit import include including"),
  ...words("increment index indexes inherit inherits inline input insensitive insert instead invoker isolation key"),
  ...words("label language large last leakproof level listen load local location lock locked logged mapping match"),
  ...words("matched materialized maxvalue merge method minute minvalue mode month move name names new next nfc nfd"),
  ...words("nfkc nfkd no normalized nothing notify nowait nulls object of off oids old operator option options"),
  ...words(
    "ordinality others over overriding owned owner parallel parameter parser partial partition passing password",
  ),
  ...words("plans policy preceding prepare prepared preserve prior privileges procedural procedure procedures program"),
  ...words("publication quote range read reassign recheck recursive ref referencing refresh reindex relative release"),
  ...words("rename repeatable replace replica reset restart restrict return returns revoke role rollback rollup"),
  ...words("routine routines rows rule savepoint schema schemas scroll search second security sequence sequences"),
  ...words(
    "serializable server session set sets share show simple skip snapshot sql stable standalone start statement",
  ),
  ...words("statistics stdin stdout storage stored strict strip subscription support sysid system tables tablespace"),
  ...words("temp template temporary text ties transaction transform trigger truncate trusted type types uescape"),
  ...words("unbounded uncommitted unencrypted unknown unlisten unlogged until update vacuum valid validate validator"),
  ...words("value varying version view views volatile whitespace within without work wrapper write xml year yes zone"),
] as const;

/** May be a column or table name, but not a function or type name. */
const columnName = [
  ...words(
    "between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout",
  ),
  ...words(
    "int integer interval least national nchar none normalize nullif numeric out overlay position precision real",
  ),
  ...words("row setof smallint substring time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement"),
  ...words("xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable"),
] as const;

/** May be a function or type name, but not a column or table name. */
const typeOrFunctionName = [
  ...words(
    "authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join left",
  ),
  ...words("like natural notnull outer overlaps right similar tablesample verbose"),
] as const;

/** Only a label after AS. */
const reserved = [
  ...words("all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create"),
  ...words(
    "current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc",
  ),
  ...words("distinct do else end except false fetch for foreign from grant group having in initially intersect into"),
  ...words(
    "lateral leading limit localtime localtimestamp not null offset on only or order placing primary references",
  ),
  ...words("returning select session_user some symmetric table then to trailing true union unique user using variadic"),
  ...words("when where window with"),
] as const;

/** Keywords that cannot be a column's label unless AS is written. */
const notBareLabels: ReadonlySet<string> = new Set([
  ...words("array as char character create day except fetch filter for from grant group having hour intersect into"),
  ...words(
    "isnull limit minute month notnull offset on order over overlaps precision returning second to union varying",
  ),
  ...words("where window with within without year"),
]);

/** A word that has a meaning in the grammar, in lower case. Source: PostgreSQL 15, appendix C. */
export type Keyword =
  | (typeof unreserved)[number]
  | (typeof columnName)[number]
  | (typeof typeOrFunctionName)[number]
  | (typeof reserved)[number];

/** Where a keyword may stand as a name: nowhere for `reserved`, anywhere for `unreserved`. */
export type KeywordClass = "unreserved" | "column name" | "type or function name" | "reserved";

/** Every keyword with its class. */
export const keywordClasses: ReadonlyMap<string, KeywordClass> = new Map<string, KeywordClass>([
  ...unreserved.map((word) => [word, "unreserved"] as const),
  ...columnName.map((word) => [word, "column name"] as const),
  ...typeOrFunctionName.map((word) => [word, "type or function name"] as const),
  ...reserved.map((word) => [word, "reserved"] as const),
]);

/** Whether the word can be a label without AS: `SELECT 1 name`. Words that are no keywords can. */
export function isBareLabel(word: string): boolean {
  return !notBareLabels.has(word);
}

// ---------------------------------------------------------------------------------------------------------------------
// Categories: "any of these tokens". A label is what a reader is told when one of them was possible.

/**
 * Categories are set behind Chevrotain's back: it would bring all members of all categories up to date with every token
 * that is made, which takes longer than everything else; the parser does it once for the whole vocabulary.
 */
function token(name: string, label: string, categories: readonly TokenType[]): TokenType {
  const type = createToken({ name, label, pattern: Lexer.NA });
  type.CATEGORIES = [...categories];
  return type;
}

const category = (name: string, label: string, parents: readonly TokenType[] = []): TokenType =>
  token(name, label, parents);

/** Everything but the end of a statement: what an unsupported statement is read over with. */
export const AnyToken = category("AnyToken", "anything");
/** A label after AS, a field after a dot. */
export const ColumnLabel = category("ColumnLabel", "a name", [AnyToken]);
/** A label without AS. */
export const BareLabel = category("BareLabel", "a name");
/** The name of a column, table, alias. */
export const ColumnName = category("ColumnName", "a name");
/** The name of a function or type. */
export const TypeOrFunctionName = category("TypeOrFunctionName", "a name");
/** First word of a column reference, function call or typed literal. */
export const NameStart = category("NameStart", "a name");
/** A role, a setting's value, an option. */
export const NonReservedWord = category("NonReservedWord", "a name");
/** The operator signs between two operands. */
export const InfixSign = category("InfixSign", "an operator", [AnyToken]);
/** XMLELEMENT and its kin, refused by name. */
export const XmlFunction = category("XmlFunction", "a function");

const names = [ColumnLabel, BareLabel, ColumnName, TypeOrFunctionName, NameStart, NonReservedWord];

/** A name that is no keyword, or a quoted one. */
export const Identifier = token("Identifier", "a name", names);

/**
 * Keywords that begin special syntax when a parenthesis follows and are names otherwise. The lexer turns them into plain
 * identifiers when none does, so that the parser can decide on the word alone.
 */
export const specialForms: ReadonlySet<string> = new Set([
  ...words(
    "coalesce exists extract greatest grouping least normalize nullif operator overlay position substring treat trim",
  ),
  ...words("xmlconcat xmlelement xmlexists xmlforest xmlparse xmlpi xmlroot xmlserialize xmltable"),
]);

function keywordToken(word: Keyword, kind: KeywordClass): TokenType {
  const categories = [ColumnLabel];
  if (isBareLabel(word)) categories.push(BareLabel);
  if (kind === "unreserved" || kind === "column name") categories.push(ColumnName);
  if (kind === "unreserved" || kind === "type or function name") categories.push(TypeOrFunctionName);
  if (kind !== "reserved") categories.push(NonReservedWord);
  if (kind !== "reserved" && word !== "row" && !specialForms.has(word)) categories.push(NameStart);
  if (word.startsWith("xml") && word !== "xml") categories.push(XmlFunction);
  return token(word.toUpperCase(), word.toUpperCase(), categories);
}

/** The token type of each keyword: `kw.select`. */
export const kw = Object.fromEntries(
  [...keywordClasses].map(([word, kind]) => [word, keywordToken(word as Keyword, kind)]),
) as Readonly<Record<Keyword, TokenType>>;

/** The same as a map, for words that come from a text. */
export const keywordTokens: ReadonlyMap<string, TokenType> = new Map(Object.entries(kw));

// ---------------------------------------------------------------------------------------------------------------------
// Literals and signs. Their patterns are in lexer.ts.

const plain = (name: string, label: string, categories: readonly TokenType[] = [AnyToken]): TokenType =>
  token(name, label, categories);

export const IntegerToken = plain("Integer", "a number");
export const DecimalToken = plain("Decimal", "a number");
export const StringToken = plain("String", "a string");
export const BitStringToken = plain("BitString", "a bit string");
export const ParameterToken = plain("Parameter", "a parameter");

export const LeftParen = plain("LeftParen", '"("');
export const RightParen = plain("RightParen", '")"');
export const LeftBracket = plain("LeftBracket", '"["');
export const RightBracket = plain("RightBracket", '"]"');
export const Comma = plain("Comma", '","');
export const Semicolon = plain("Semicolon", '";"', []);
export const Dot = plain("Dot", '"."');
export const Colon = plain("Colon", '":"');
export const TypeCast = plain("TypeCast", '"::"');
export const ColonEquals = plain("ColonEquals", '":="');
export const EqualsGreater = plain("EqualsGreater", '"=>"');

export const Plus = plain("Plus", '"+"', [InfixSign]);
export const Minus = plain("Minus", '"-"', [InfixSign]);
export const Star = plain("Star", '"*"', [InfixSign]);
export const Slash = plain("Slash", '"/"', [InfixSign]);
export const Percent = plain("Percent", '"%"', [InfixSign]);
export const Caret = plain("Caret", '"^"', [InfixSign]);
export const Less = plain("Less", '"<"', [InfixSign]);
export const Greater = plain("Greater", '">"', [InfixSign]);
export const Equal = plain("Equal", '"="', [InfixSign]);
export const LessEqual = plain("LessEqual", '"<="', [InfixSign]);
export const GreaterEqual = plain("GreaterEqual", '">="', [InfixSign]);
export const NotEqual = plain("NotEqual", '"<>"', [InfixSign]);
/** Any other operator: `||`, `->>`, `~*`, a user's own. */
export const OperatorToken = plain("Operator", "an operator", [InfixSign]);

/** A character that begins nothing (`{`, `\`), or `..`: always a syntax error. */
export const IllegalToken = plain("Illegal", "anything", []);
/** A piece of text that cannot be read (an unterminated string); carries the error to raise when the parser gets there. */
export const BrokenToken = plain("Broken", "anything", []);

/** Operators by their text, for those that have a token of their own. */
export const operatorTokens: ReadonlyMap<string, TokenType> = new Map([
  ["+", Plus],
  ["-", Minus],
  ["*", Star],
  ["/", Slash],
  ["%", Percent],
  ["^", Caret],
  ["<", Less],
  [">", Greater],
  ["=", Equal],
  ["<=", LessEqual],
  [">=", GreaterEqual],
  ["<>", NotEqual],
  ["!=", NotEqual],
  ["=>", EqualsGreater],
]);

/** Everything the parser may meet. */
export const vocabulary: TokenType[] = [
  ...[AnyToken, ColumnLabel, BareLabel, ColumnName, TypeOrFunctionName, NameStart, NonReservedWord, InfixSign],
  ...[XmlFunction, Identifier, ...keywordTokens.values()],
  ...[IntegerToken, DecimalToken, StringToken, BitStringToken, ParameterToken],
  ...[LeftParen, RightParen, LeftBracket, RightBracket, Comma, Semicolon, Dot, Colon, TypeCast, ColonEquals],
  ...[EqualsGreater, Plus, Minus, Star, Slash, Percent, Caret, Less, Greater, Equal, LessEqual, GreaterEqual, NotEqual],
  ...[OperatorToken, IllegalToken, BrokenToken],
];
