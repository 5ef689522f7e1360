/** One listener on a statement's signal for all its calls: told once, in order, and only who still waits. */
import { expect, test, vi } from "vitest";
import { Database, defineResource } from "../../src/index.js";
import { SharedSignal } from "../../src/resources/stop-signal.js";

function shared() {
  const controller = new AbortController();
  const add = vi.spyOn(controller.signal, "addEventListener");
  const signal = new SharedSignal(controller.signal);
  return { controller, signal, add };
}

test("listeners are told once, in the order in which they came, by one listener of the signal", () => {
  const { controller, signal, add } = shared();
  const told: number[] = [];
  for (const i of [1, 2, 3]) signal.addEventListener("abort", () => told.push(i));
  expect(signal.aborted).toBe(false);
  signal.throwIfAborted();
  const reason = new Error("enough");
  controller.abort(reason);
  controller.abort(new Error("again"));
  expect(told).toEqual([1, 2, 3]);
  expect(add).toHaveBeenCalledTimes(1);
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toBe(reason);
  expect(() => signal.throwIfAborted()).toThrow(reason);
});

test("who left, who is taken out meanwhile and who comes after the end is not told", () => {
  const { controller, signal } = shared();
  const told: string[] = [];
  const left = () => told.push("left");
  const taken = () => told.push("taken out");
  signal.addEventListener("abort", left);
  signal.addEventListener("abort", () => {
    told.push("first");
    signal.removeEventListener("abort", taken);
    signal.addEventListener("abort", () => told.push("late"));
  });
  signal.addEventListener("abort", taken);
  signal.removeEventListener("abort", left);
  controller.abort();
  expect(told).toEqual(["first"]);
});

test("one that throws keeps none waiting, and its error is not lost", async () => {
  const { controller, signal } = shared();
  const told: number[] = [];
  const lost = new Error("lost");
  const thrown = new Promise((resolve) => process.once("uncaughtException", resolve));
  const others = process.listeners("uncaughtException").slice(0, -1);
  for (const other of others) process.off("uncaughtException", other);
  signal.addEventListener("abort", () => {
    throw lost;
  });
  signal.addEventListener("abort", () => told.push(2));
  controller.abort();
  try {
    expect(told).toEqual([2]);
    expect(await thrown).toBe(lost);
  } finally {
    for (const other of others) process.on("uncaughtException", other);
  }
});

test("a thousand calls that are given up: none starts afterwards, and Node warns of no leak", async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => void warnings.push(warning.message);
  process.on("warning", note);
  const started: number[] = [];
  const db = await Database.create({ limits: { concurrency: 8, callsPerStatement: 2_000 } });
  db.register(
    defineResource({
      name: "item",
      volatility: "volatile",
      columns: [{ name: "id", type: "bigint", requiredKey: true }],
      select: (bindings) => {
        started.push(Number(bindings.one("id")));
        return new Promise<never>(() => undefined);
      },
    }),
  );
  const giveUp = new AbortController();
  const run = db.execute("SELECT * FROM item WHERE id IN (SELECT generate_series(1, 1000))", { signal: giveUp.signal });
  await vi.waitFor(() => expect(started).toHaveLength(8), { timeout: 30_000 });
  giveUp.abort();
  await expect(run).rejects.toMatchObject({ code: "57014", detail: "Of 1,000 calls: 8 stopped, 992 not made." });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  expect(started).toHaveLength(8);
  expect(warnings.filter((text) => text.includes("leak"))).toEqual([]);
});
