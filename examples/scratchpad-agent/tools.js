/**
 * Two capabilities that live in the program itself, as against those of servers: a list of tasks and an outbox. Each is
 * an ordinary async API; `defineResource` makes it a table.
 */
import { defineResource } from "glove-scratchpad";
import { z } from "zod";

/** The tasks of the team, due on a date. @returns {import("glove-scratchpad").ResourceTable} */
export function tasks() {
  const rows = [
    { id: 1, title: "Raise the export limit", topic: "export", owner: "dana", due_date: "2026-05-14", done: false },
    {
      id: 2,
      title: "Ask the provider about session length",
      topic: "login",
      owner: "ravi",
      due_date: "2026-05-15",
      done: false,
    },
    { id: 3, title: "Write release notes", topic: "docs", owner: "dana", due_date: "2026-05-20", done: true },
  ];
  return defineResource({
    name: "tasks",
    description: "Tasks of the team",
    volatility: "stable",
    schema: z.object({
      id: z.int().describe("Task number"),
      title: z.string(),
      topic: z.string().describe("What it is about: export, login, billing, docs"),
      owner: z.string(),
      due_date: z.iso.date(),
      done: z.boolean(),
    }),
    primaryKey: ["id"],
    select: () => rows,
    update: (set, bindings) => {
      const row = rows.find((task) => task.id === bindings.one("id"));
      if (row === undefined) throw new Error(`there is no task ${bindings.one("id")}`);
      return Object.assign(row, set);
    },
  });
}

/**
 * Mail that was sent, newest last.
 * @param {{ to_addr: string, subject: string, body: string }[]} outbox where the messages go
 * @returns {import("glove-scratchpad").ResourceTable}
 */
export function emails(outbox) {
  return defineResource({
    name: "emails",
    description: "Mail: INSERT sends a message, SELECT shows what was sent",
    volatility: "volatile",
    schema: z.object({
      to_addr: z.email().describe("Address of the receiver"),
      subject: z.string(),
      body: z.string(),
    }),
    select: () => [...outbox],
    insert: ([message]) => {
      outbox.push(message);
      return message;
    },
  });
}
