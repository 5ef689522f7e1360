/**
 * The SQL prompt: statements over several lines up to a `;`, with history, answers as tables. Works with a terminal and
 * with a pipe.
 */
import { createInterface, type Interface } from "node:readline";
import type { Database } from "../database/database.js";
import type { ExecuteResult } from "../database/types.js";
import { formatError } from "../errors/format-error.js";
import { tokenize } from "../grammar/lexer.js";
import { Semicolon } from "../grammar/tokens.js";
import { formatRows } from "../surfaces/text-table.js";

/** Where lines come from and answers go; `columns` is the terminal's width. */
export interface ShellStreams {
  readonly input: NodeJS.ReadableStream & { isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { columns?: number };
}

const help = `Statements end with ; and may span lines.
\\d            list tables           \\d NAME   describe a table
\\explain SQL  show the plan         \\staged   show staged writes
\\q            leave`;

/** Reads statements until the input ends or `\q`. @returns the number of statements that failed */
export function runShell(db: Database, streams: ShellStreams): Promise<number> {
  const interactive = streams.input.isTTY === true;
  const readline = createInterface({
    input: streams.input,
    output: streams.output,
    terminal: interactive,
    historySize: 1_000,
    prompt: "sql> ",
  });
  const print = (text: string) => streams.output.write(`${text}\n`);
  const waiting: string[] = [];
  let buffer = "";
  let failures = 0;
  let running: AbortController | undefined;
  let ended = false;

  /** Takes lines until one has to be carried out; a prompt for the next line is there before that line is echoed. */
  const next = (): (() => Promise<boolean>) | undefined => {
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      const text = line;
      const command = buffer === "" ? text.trim() : "";
      if (command === "\\q" || command === "quit" || command === "exit") {
        waiting.length = 0;
        ended = true;
        readline.close();
        return undefined;
      }
      if (command.startsWith("\\")) return () => runCommand(db, command, print, streams);
      if (buffer !== "" || !isBlank(text)) buffer += buffer === "" ? text : `\n${text}`;
      const sql = buffer;
      // Only such a line can complete a statement; asking at every line would take long for a script of many.
      if (/;|\*\//.test(text) && isComplete(sql)) {
        buffer = "";
        return () => statement(sql);
      }
      prompt(readline, buffer, interactive, db);
    }
    return undefined;
  };
  const statement = async (sql: string): Promise<boolean> => {
    running = new AbortController();
    try {
      return await runStatement(db, sql, print, streams, { signal: running.signal });
    } finally {
      running = undefined;
    }
  };

  return new Promise((resolve, reject) => {
    let busy = false;
    const work = async (): Promise<void> => {
      if (busy) return;
      busy = true;
      for (let step = next(); step !== undefined; step = next()) {
        if (!(await step())) failures += 1;
        if (!ended) prompt(readline, buffer, interactive, db);
      }
      if (ended) {
        if (!isBlank(buffer) && !(await statement(buffer))) failures += 1;
        resolve(failures);
      }
      busy = false;
    };
    readline.on("line", (line) => {
      waiting.push(line);
      work().catch(reject);
    });
    readline.on("close", () => {
      if (interactive && !ended) print(""); // what follows starts on a line of its own
      ended = true;
      work().catch(reject);
    });
    readline.on("SIGINT", () => {
      // Ctrl-C stops what runs, or drops what was typed; on an empty prompt it leaves.
      if (running !== undefined) running.abort();
      else if (buffer === "" && readline.line === "") readline.close();
      else {
        buffer = "";
        readline.write(null, { ctrl: true, name: "e" });
        readline.write(null, { ctrl: true, name: "u" });
        print("");
        prompt(readline, buffer, interactive, db);
      }
    });
    prompt(readline, buffer, interactive, db);
  });
}

function prompt(readline: Interface, buffer: string, interactive: boolean, db: Database): void {
  if (!interactive) return;
  readline.setPrompt(buffer !== "" ? "...> " : db.inTransaction() ? "sql*> " : "sql> ");
  readline.prompt();
}

/** Space and comments alone are nothing to carry out. */
function isBlank(text: string): boolean {
  return tokenize(text).length === 0;
}

/**
 * A statement is sent when its last token is a semicolon; a script stays together when it is typed in one go. Asked of
 * the tokens, because a `;` at the end of a line may stand in a string or a comment: what follows there would be carried
 * out as a statement of its own. Text that can never be read is sent as soon as a line ends with `;`, for its error.
 */
function isComplete(text: string): boolean {
  const last = tokenize(text).at(-1);
  if (last?.error === undefined) return last?.tokenType === Semicolon;
  return !last.error.message.startsWith("unterminated") && text.trimEnd().endsWith(";");
}

async function runCommand(
  db: Database,
  command: string,
  print: (text: string) => void,
  streams: ShellStreams,
): Promise<boolean> {
  const [name, ...rest] = command.split(/\s+/);
  const argument = rest.join(" ").replace(/;$/, "");
  switch (name) {
    case "\\d":
      return argument === ""
        ? runStatement(
            db,
            "SELECT table_name, verbs, required_keys, description FROM information_schema.tables ORDER BY 1",
            print,
            streams,
          )
        : runStatement(
            db,
            "SELECT column_name, data_type, is_nullable, required_key, description FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position",
            print,
            streams,
            { params: [argument] },
          );
    case "\\explain":
      return runStatement(db, `EXPLAIN ${argument}`, print, streams);
    case "\\staged":
      return runStatement(db, "SELECT id, sql FROM scratchpad.staged_writes ORDER BY id", print, streams);
    default:
      print(help);
      return true;
  }
}

/** @returns whether it succeeded */
export async function runStatement(
  db: Database,
  sql: string,
  print: (text: string) => void,
  streams: Pick<ShellStreams, "output">,
  options: { params?: unknown[]; signal?: AbortSignal } = {},
): Promise<boolean> {
  try {
    const result = await db.execute(sql, options);
    print(resultText(result, streams.output.columns ?? 100));
    return true;
  } catch (error) {
    print(formatError(error, sql));
    return false;
  }
}

function resultText(result: ExecuteResult, width: number): string {
  const names = result.fields.map((field) => field.name);
  const parts: string[] = [];
  if (names.length > 0) parts.push(formatRows(names, result.rows, { width }));
  const calls = result.touched.reduce((sum, relation) => sum + relation.invocations, 0);
  const cut = result.truncated ? "  ·  more rows were cut" : "";
  parts.push(`${result.command ?? ""}${cut}${calls > 0 ? `  ·  ${calls} ${calls === 1 ? "call" : "calls"}` : ""}`);
  if (result.message !== undefined) parts.push(result.message);
  for (const notice of result.notices ?? [])
    parts.push(`${notice.severity}: ${notice.message}${notice.hint === undefined ? "" : ` ${notice.hint}`}`);
  return parts.join("\n");
}
