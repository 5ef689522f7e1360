/** The SQL prompt, with a pipe and with a terminal that is typed into. */
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { runShell } from "../../src/cli/shell.js";
import { Database } from "../../src/index.js";

async function shell(terminal: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY: terminal });
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk) => {
    text += String(chunk);
  });
  const failures = runShell(await Database.create(), { input, output });
  /** Waits until the text shows something, and gives what came since the last time. */
  const until = async (shown: string): Promise<string> => {
    await expect.poll(() => text, { timeout: 5_000 }).toContain(shown);
    const seen = text;
    text = "";
    return seen;
  };
  return { input, until, failures };
}

describe("a pipe", () => {
  test("carries out statements in order, the last without a semicolon, and counts failures", async () => {
    const { input, until, failures } = await shell(false);
    input.end("SELECT 1 AS a;\nSELECT\n2 AS b;\nSELECT nope;\n\\d nothing\nSELECT 3 AS c");
    expect(await failures).toBe(1);
    const text = await until("c\n─\n3");
    const places = ["a\n─\n1", "b\n─\n2", 'column "nope" does not exist', "column_name", "c\n─\n3"].map((part) =>
      text.indexOf(part),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(text).not.toContain("sql>");
  });

  test.each([
    { name: "a string", typed: "SELECT 'one;\nSELECT nope;' AS a;\n", shown: "one;⏎SELECT nope;" },
    { name: "a comment", typed: "SELECT /* one;\nSELECT nope; */ 5 AS a;\n", shown: "a\n─\n5" },
    { name: "a quoted name", typed: 'SELECT 1 AS "a;\nb";\n', shown: "1" },
  ])("a semicolon at the end of a line in $name ends no statement", async ({ typed, shown }) => {
    const { input, until, failures } = await shell(false);
    input.end(typed);
    expect(await failures).toBe(0);
    await until(shown);
  });

  test.each([
    { name: "a comment behind the semicolon", typed: "SELECT 1 AS a; -- one\nSELECT 2 AS b;\n", failed: 0 },
    { name: "text that can never be read", typed: "SELECT {;\nSELECT 2 AS b;\n", failed: 1 },
    { name: "a comment alone", typed: "-- one\nSELECT 2 AS b;\n/* two */", failed: 0 },
    { name: "a comment over two lines", typed: "SELECT 1 AS a; /* one\ntwo */\nSELECT 2 AS b;\n", failed: 0 },
  ])("$name does not hold up the next statement", async ({ typed, failed }) => {
    const { input, until, failures } = await shell(false);
    input.end(typed);
    expect(await failures).toBe(failed);
    await until("b\n─\n2");
  });

  test("\\q leaves the rest", async () => {
    const { input, failures, until } = await shell(false);
    input.write("SELECT 1 AS a;\n\\q\nSELECT nope;\n");
    expect(await failures).toBe(0);
    expect(await until("SELECT 1")).not.toContain("nope");
  });
});

describe("a terminal", () => {
  test("a pasted statement has a prompt before each line, and its answer below", async () => {
    const { input, until } = await shell(true);
    input.write("SELECT 1\rAS a;\r");
    const text = await until("─\n1\nSELECT 1");
    expect(text.indexOf("...> ")).toBeLessThan(text.indexOf("AS a;"));
    input.end();
  });

  test("Ctrl-C drops the line that was typed, and all lines before it", async () => {
    const { input, until, failures } = await shell(true);
    input.write("SELECT nope,\rfrom here\u0003SELECT 7 AS seven;\r");
    expect(await until("seven\r\n".replace("\r", ""))).not.toContain("ERROR");
    input.write("\u0003");
    expect(await failures).toBe(0);
  });

  test("Ctrl-C stops a statement that runs", async () => {
    const { input, until, failures } = await shell(true);
    input.write("SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b;\r");
    setTimeout(() => input.write("\u0003"), 200);
    await until("canceling statement due to user request");
    input.write("\\q\r");
    expect(await failures).toBe(1);
  });
});
