/** Spans of a real OpenTelemetry SDK. */
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { describe, expect, test } from "vitest";
import { otelSink } from "../../../src/database/audit/otel-sink.js";
import { Database } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

async function world(queryText?: boolean) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test");
  const db = await Database.create({
    policy: { writes: true },
    actor: "ann",
    audit: otelSink({ tracer, ...(queryText !== undefined && { queryText }) }),
  });
  db.register(
    new Recorder().resource({
      name: "issue",
      columns: [
        { name: "id", type: "bigint" },
        { name: "title", type: "text" },
      ],
      primaryKey: ["id"],
      rows: [{ id: 1, title: "one" }],
      verbs: ["select", "insert"],
    }),
  );
  return { db, exporter, tracer };
}

describe("spans", () => {
  test("one a statement, one below it for each call", async () => {
    const { db, exporter } = await world();
    await db.execute("SELECT title FROM issue WHERE id = 1");
    const [call, statement] = exporter.getFinishedSpans();
    expect(statement.name).toBe("SELECT");
    expect(statement.attributes).toMatchObject({
      "db.system.name": "glove-scratchpad",
      "db.operation.name": "SELECT",
      "db.query.text": "SELECT title FROM issue WHERE id = 1",
      "db.response.returned_rows": 1,
      "enduser.id": "ann",
      "scratchpad.relations": ["public.issue"],
    });
    expect(call.name).toBe("SELECT public.issue");
    expect(call.parentSpanContext?.spanId).toBe(statement.spanContext().spanId);
    expect(call.attributes).toMatchObject({ "db.collection.name": "public.issue", "db.response.returned_rows": 1 });
    expect(JSON.stringify(call.attributes)).not.toContain('"id"');
  });

  test("an error has its code and a status", async () => {
    const { db, exporter } = await world();
    await expect(db.execute("SELECT 1/0")).rejects.toThrow();
    const [span] = exporter.getFinishedSpans();
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: "division by zero" });
    expect(span.attributes).toMatchObject({ "error.type": "22012", "db.response.status_code": "22012" });
  });

  test("a write is a client span with its idempotency key", async () => {
    const { db, exporter } = await world();
    await db.execute("INSERT INTO issue VALUES (2, 'two')");
    const call = exporter.getFinishedSpans().find((span) => span.name === "INSERT public.issue");
    expect(call?.attributes["scratchpad.call.idempotency_key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(call?.attributes["scratchpad.call.status"]).toBe("fired");
  });

  test("without the text where it is not wanted", async () => {
    const { db, exporter } = await world(false);
    await db.execute("SELECT 'private'");
    expect(JSON.stringify(exporter.getFinishedSpans()[0].attributes)).not.toContain("private");
  });

  test("the global provider is taken by default, and none at all is no error", async () => {
    const db = await Database.create({ audit: otelSink() });
    expect((await db.execute("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(trace.getSpan(context.active())).toBeUndefined();
    await db.close();
  });
});
