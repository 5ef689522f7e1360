/**
 * `catalog.search('text')`: tables and columns that a text may mean, best first. Names weigh most, then labels, then
 * descriptions; words are matched whole, in the plural, as a prefix and with a small slip. A plain scorer over all tables:
 * hundreds of tables are a few milliseconds.
 */
import { editDistance } from "../errors/did-you-mean.js";
import type { SetReturningFunction } from "../functions/function.js";
import { displayType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Table, TableColumn } from "./table.js";

/** One table, or one column of a table. */
export interface CatalogHit {
  readonly schema: string;
  readonly table: string;
  /** `null` for the table itself. */
  readonly column: string | null;
  /** A column's type; `table` or `view` for a table. */
  readonly type: string;
  readonly description: string | null;
  /** Larger is better; 1 is every word in the name. */
  readonly score: number;
}

/** Hits that are given at most. */
const maxHits = 100;

const weights = { name: 1, table: 0.35, labels: 0.6, description: 0.5 };

/** Words of questions that tell nothing apart; they count only when there are no others. */
const fillers = new Set(
  "a all an and are at by can do does for from get give has have how i in is list me my of on or show that the their to what where which who with".split(
    " ",
  ),
);

/** `catalog.search` over the tables of a catalog; they are listed anew for each call. */
export function searchFunction(list: () => readonly Table[]): SetReturningFunction {
  return {
    kind: "set",
    name: "search",
    schema: "catalog",
    args: ["text"],
    returns: "record",
    columns: [
      { name: "table_schema", type: "text" }, // named as in information_schema; `table` and `column` are reserved words
      { name: "table_name", type: "text" },
      { name: "column_name", type: "text" },
      { name: "data_type", type: "text" },
      { name: "description", type: "text" },
      { name: "score", type: "float8" },
    ],
    volatility: "stable",
    strict: true,
    description: "Tables and columns that a text may mean, best first",
    specialize: () => (text) =>
      searchCatalog(list(), text as string).map((hit): Value[] => [
        hit.schema,
        hit.table,
        hit.column,
        hit.type,
        hit.description,
        hit.score,
      ]),
  };
}

/** At most 100 hits, best first; equally good ones in the order of the tables and their columns. None for a text without a word. */
export function searchCatalog(tables: readonly Table[], text: string): CatalogHit[] {
  const asked = wordsOf(text);
  const telling = asked.filter((word) => !fillers.has(word));
  const wanted = telling.length > 0 ? telling : asked;
  if (wanted.length === 0) return [];
  const candidates = tables.flatMap((table) => candidatesOf(table));
  const points = candidates.map((candidate) => wanted.map((word) => pointsFor(word, candidate)));
  // A word that few tables have says more than one that most have.
  const rarity = wanted.map((_, i) => {
    const having = points.filter((row) => row[i] > 0).length;
    return having === 0 ? 1 : 1 + Math.log(candidates.length / having) / 4;
  });
  const best = rarity.reduce((sum, weight) => sum + weight, 0);
  return candidates
    .map(({ hit }, i) => ({ hit, score: points[i].reduce((sum, point, n) => sum + point * rarity[n], 0) / best }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxHits)
    .map(({ hit, score }) => ({ ...hit, score: Math.round(score * 1000) / 1000 }));
}

interface Candidate {
  readonly hit: Omit<CatalogHit, "score">;
  readonly fields: readonly { readonly words: readonly string[]; readonly weight: number }[];
}

function candidatesOf(table: Table): Candidate[] {
  const tableWords = wordsOf(table.name);
  const own: Candidate = {
    hit: {
      schema: table.schema,
      table: table.name,
      column: null,
      type: table.kind === "view" ? "view" : "table",
      description: table.description === "" ? null : table.description,
    },
    fields: [
      { words: tableWords, weight: weights.name },
      { words: wordsOf(table.description), weight: weights.description },
    ],
  };
  return [own, ...table.columns.map((column) => columnCandidate(table, tableWords, column))];
}

/** A column is found by its table's name too, but less than the table itself. */
function columnCandidate(table: Table, tableWords: readonly string[], column: TableColumn): Candidate {
  return {
    hit: {
      schema: table.schema,
      table: table.name,
      column: column.name,
      type: displayType(column.type, column.typmod),
      description: column.description ?? null,
    },
    fields: [
      { words: wordsOf(column.name), weight: weights.name * 0.9 },
      { words: wordsOf((column.enumLabels ?? column.type.labels ?? []).join(" ")), weight: weights.labels },
      { words: wordsOf(column.description ?? ""), weight: weights.description * 0.9 },
      { words: tableWords, weight: weights.table },
    ],
  };
}

function pointsFor(word: string, { fields }: Candidate): number {
  return Math.max(...fields.map(({ words, weight }) => weight * likeness(word, words)));
}

/** Words in lower case: `pullRequests`, `pull_requests` and "Pull requests" have the same. */
function wordsOf(text: string): string[] {
  const spaced = text
    .normalize("NFKC")
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase();
  return [...new Set(spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""))];
}

/** How well a word is among others: 1 the same, less in another form, as a prefix or with a slip, 0 not at all. */
function likeness(wanted: string, words: readonly string[]): number {
  let best = 0;
  for (const word of words) {
    if (word === wanted) return 1;
    best = Math.max(best, nearness(wanted, word));
  }
  return best;
}

function nearness(wanted: string, word: string): number {
  if (stem(word) === stem(wanted)) return 0.95;
  if (wanted.length >= 3 && word.startsWith(wanted)) return 0.7;
  if (word.length >= 4 && wanted.startsWith(word)) return 0.5;
  const slips = wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0;
  return slips > 0 && editDistance(wanted, word, slips + 1) <= slips ? 0.6 : 0;
}

/** A word without its English plural. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(s|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
