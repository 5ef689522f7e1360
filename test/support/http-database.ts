/** A database with one table `t` whose rows come from a test's HTTP service. */
import type { ZodObject } from "zod";
import { Database } from "../../src/index.js";
import { defineHttpResource, type HttpDefinition } from "../../src/resources/connectors/http/define-http-resource.js";
import type { HttpOptions, HttpService, HttpVerbs } from "../../src/resources/connectors/http/definition.js";

export interface HttpTable extends Partial<Omit<HttpDefinition, "verbs">> {
  readonly schema: ZodObject;
  readonly keys?: readonly string[];
  readonly verbs: HttpVerbs;
  readonly service?: Partial<HttpService>;
  readonly options?: HttpOptions;
}

/** Service "svc" at `baseUrl`; retries wait 1 ms, so that a test is not slowed down by them. */
export async function httpDatabase(baseUrl: string, table: HttpTable): Promise<Database> {
  const { schema, keys = [], service, options, ...definition } = table;
  const db = await Database.create({ policy: { writes: true } });
  return db.register(
    defineHttpResource(
      { service: "svc", baseUrl, ...service },
      { name: "t", description: "", volatility: "stable", retry: { retries: 2, minDelayMs: 1 }, ...definition },
      schema,
      keys,
      options,
    ),
  );
}

/** The whole error of a statement as text: what a user, a model or a log could see of it, causes included. */
export async function errorOf(statement: Promise<unknown>): Promise<{ code: string; text: string }> {
  const error = await statement.then(
    () => {
      throw new Error("the statement did not fail");
    },
    (thrown: unknown) => thrown,
  );
  const texts: string[] = [];
  let code = "";
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { message, detail, hint, code: own } = cause as Error & { detail?: string; hint?: string; code?: string };
    if (code === "") code = own ?? "";
    texts.push([message, detail, hint].filter((part) => part !== undefined).join("\n"));
  }
  return { code, text: texts.join("\n") };
}
