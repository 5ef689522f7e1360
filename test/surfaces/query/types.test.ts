/**
 * What the compiler says of typed statements: rows of a selection equal types written by hand, and each mistake is an
 * error that names what is wrong. Snippets are compiled as a user would write them.
 */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL(".", import.meta.url));
const prelude = `
import type { SqlExecutor } from "../../../src/surfaces/query/executor.js";
import { tableQuery } from "../../../src/surfaces/query/table-query.js";
import { pr } from "./pr-table.js";
declare const db: SqlExecutor;
declare const repo: string;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type RowOf<Q extends { all: (...args: never[]) => Promise<unknown> }> = Awaited<ReturnType<Q["all"]>>;
declare function same<A, B>(proof: Same<A, B>): void;
interface ChatRow { id: bigint; channel?: string; user?: string; query?: string; sent: Date; score: number | null; tags: string[] }
const chat = tableQuery<ChatRow, { channel: string; sent?: Date }>()("chat", {
  columns: { id: "bigint", channel: "text", user: "text", query: "text", sent: "timestamp with time zone", score: "double precision", tags: "text[]" },
  keys: ["channel"], keyAlternatives: [["user", "query"]], verbs: ["select", "insert"],
});
`;

/** The compiler's first words for each snippet; several are compiled together, since a program takes seconds. */
function compile(snippets: readonly string[]): string[][] {
  const names = snippets.map((_, i) => `${folder}snippet-${i}.ts`);
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  };
  const host = ts.createCompilerHost(options);
  const original = host.getSourceFile.bind(host);
  const textOf = (name: string) => {
    const index = names.indexOf(name);
    return index === -1 ? undefined : `${prelude}export const result = async () => { ${snippets[index]} };\n`;
  };
  host.getSourceFile = (name, version) => {
    const text = textOf(name);
    return text === undefined ? original(name, version) : ts.createSourceFile(name, text, version);
  };
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => names.includes(name) || exists(name);
  const program = ts.createProgram(names, options, host);
  return names.map((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map((diagnostic) => lastLine(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"))),
  );
}

/** The innermost line says it. */
function lastLine(message: string): string {
  return (message.split("\n").pop() as string).trim();
}

const good = [
  `const q = pr.select("number", "title", "merged_at", "labels").where({ repo, state: "open" });
   same<RowOf<typeof q>, { number: number; title: string; merged_at: string | null; labels: string[] | null }[]>(true);
   const one: { number: number } = await q.one(db); const first: { number: number } | undefined = await q.first(db);
   const n: number = await q.count(db); void [one, first, n];`,
  `const q = pr.select().where({ repo: ["a", "b"] });
   same<keyof RowOf<typeof q>[number], "repo" | "number" | "title" | "state" | "draft" | "created_at" | "merged_at" | "labels">(true);
   same<RowOf<typeof q>[number]["state"], "open" | "closed">(true);`,
  `await pr.select("number").where({ repo, created_at: { ">=": new Date() }, merged_at: { "is not": null }, number: { in: [1, 2n] } }).all(db);
   await pr.select("number").where({ merged_at: null, title: { ilike: "%x%" }, labels: { "@>": ["bug"] } }).where({ repo }).all(db);`,
  // A key of the call is there in every row; big integers and dates are read as results have them.
  `const q = chat.select("id", "channel", "user", "sent", "score", "tags").where({ channel: "c", user: "u" });
   same<RowOf<typeof q>, { id: number | string; channel: string; user: string | null; sent: string; score: number | null; tags: string[] }[]>(true);
   await chat.select("id").where({ channel: "c" }).where({ query: { like: "x%" }, id: { ">": 1n }, tags: { "@>": ["x"] } }).all(db);`,
  `await chat.insert({ channel: "c" }).run(db); await chat.insert([{ channel: "c", sent: new Date() }]).returning("id").one(db);
   const updated = await pr.update({ title: "x", merged_at: null }).where({ repo, number: 1 }).returning("number").all(db);
   same<typeof updated, { number: number | null }[]>(true);
   await pr.delete().where({ repo, number: [1, 2] }).run(db);`,
];

const bad: readonly { readonly code: string; readonly says: string }[] = [
  { code: `pr.select("titel")`, says: `Argument of type '"titel"' is not assignable to parameter of type` },
  {
    code: `pr.select("number").where({ repo, titel: "x" })`,
    says: `Object literal may only specify known properties, but 'titel' does not exist in type 'Pick<Conditions<`,
  },
  { code: `pr.select("number").where({ repo, number: "1" })`, says: `Type 'string' is not assignable to type` },
  { code: `pr.select("number").where({ repo, state: "opened" })`, says: `Type '"opened"' is not assignable to type` },
  { code: `pr.select("number").where({ repo, title: null })`, says: `Type 'null' is not assignable to type` },
  { code: `pr.select("number").where({ repo, title: undefined })`, says: `Type 'undefined' is not assignable to type` },
  { code: `pr.select("number").where({ repo: null })`, says: `Type 'null' is not assignable to type` },
  {
    code: `pr.select("number").where({ repo: { like: "a/%" } })`,
    says: `'like' does not exist in type 'readonly string[]'`,
  },
  { code: `pr.select("number").where({ repo, number: { like: "1" } })`, says: `'like' does not exist in type` },
  { code: `pr.select("number").where({ repo, draft: { ">": true } })`, says: `does not exist in type` },
  {
    code: `pr.select("number").where({ repo, labels: ["bug"] })`,
    says: `Type 'string[]' has no properties in common with type`,
  },
  {
    code: `pr.select("number").where({ repo, created_at: { ">=": 5 } })`,
    says: `Type 'number' is not assignable to type`,
  },
  { code: `pr.select("number").orderBy("titel")`, says: `Argument of type '"titel"' is not assignable` },
  { code: `pr.select("number").orderBy("title", "down")`, says: `Argument of type '"down"' is not assignable` },
  {
    code: `await pr.select("number").all(db)`,
    says: `Type 'WhereMustGiveAValueFor<"repo">' has no call signatures.`,
  },
  {
    code: `await pr.select("number").where({ state: "open" }).count(db)`,
    says: `Type 'WhereMustGiveAValueFor<"repo">' has no call signatures.`,
  },
  {
    code: `await chat.select("id").where({ channel: "c" }).all(db)`,
    says: `Type 'WhereMustGiveAValueFor<"user" | "query">' has no call signatures.`,
  },
  { code: `await pr.update({ title: "x" }).run(db)`, says: `Type 'WhereMustSayWhichRows' has no call signatures.` },
  { code: `await pr.delete().run(db)`, says: `Type 'WhereMustSayWhichRows' has no call signatures.` },
  {
    code: `await pr.delete().where({ number: 1 }).run(db)`,
    says: `Type 'WhereMustGiveAValueFor<"repo">' has no call signatures.`,
  },
  { code: `pr.update({ titel: "x" })`, says: `'titel' does not exist in type 'Changes<` },
  { code: `pr.update({ labels: null })`, says: `Type 'null' is not assignable to type 'string[]` },
  { code: `pr.update({ number: "x" })`, says: `Type 'string' is not assignable to type` },
  { code: `chat.insert({ sent: new Date() })`, says: `Property 'channel' is missing in type` },
  { code: `chat.insert({ channel: "c", sent: 5 })`, says: `is not assignable to type` },
  { code: `chat.delete()`, says: `Property 'delete' does not exist on type` },
  {
    code: `const row = await pr.select("number").where({ repo }).one(db); row.title`,
    says: `Property 'title' does not exist on type`,
  },
  {
    code: `tableQuery<ChatRow>()("chat", { columns: { id: "bigint" }, verbs: ["select"] })`,
    says: `is missing the following properties from type`,
  },
];

test("statements compile to the rows that they give, and mistakes to errors that a person can read", () => {
  const found = compile([...good, ...bad.map(({ code }) => code)]);
  expect(found.slice(0, good.length)).toEqual(good.map(() => []));
  const unclear = bad.flatMap(({ code, says }, i) => {
    const messages = found[good.length + i];
    return messages.length > 0 && messages[0].includes(says) ? [] : [{ code, says, messages }];
  });
  expect(unclear).toEqual([]);
}, 120_000);
