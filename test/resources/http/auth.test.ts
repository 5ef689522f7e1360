/** Credentials: sent in the form that the service wants, looked up at the first call, renewed once, never shown. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { Database } from "../../../src/index.js";
import { defineHttpResource } from "../../../src/resources/connectors/http/define-http-resource.js";
import type { HttpAuth, HttpService } from "../../../src/resources/connectors/http/definition.js";
import { errorOf, httpDatabase } from "../../support/http-database.js";
import { startTestServer, type TestServer } from "../../support/http-server.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  server.take();
  server.answer(() => ({ json: [{ id: 1 }] }));
});
afterAll(() => server.close());

const schema = z.object({ id: z.int(), q: z.string().optional() });
const verbs = { select: { method: "GET", path: "/items", query: { q: "{q}" } } } as const;
const env = { TOKEN: "s3cret/tok+en", USER_NAME: "ada", PASSWORD: "pä:ss word" };
const withAuth = (auth: HttpAuth, more: Record<string, string | undefined> = env) =>
  httpDatabase(server.url, { schema, verbs, service: { auth }, options: { env: more } });

const ways: { name: string; auth: HttpAuth; header?: string; value?: string; target: string; missing: string }[] = [
  {
    name: "bearer",
    auth: { kind: "bearer", token: { env: "TOKEN" } },
    header: "authorization",
    value: "Bearer s3cret/tok+en",
    target: "/items?q=x",
    missing: "TOKEN",
  },
  {
    name: "basic",
    auth: { kind: "basic", user: { env: "USER_NAME" }, password: { env: "PASSWORD" } },
    header: "authorization",
    value: `Basic ${Buffer.from("ada:pä:ss word", "utf8").toString("base64")}`,
    target: "/items?q=x",
    missing: "USER_NAME",
  },
  {
    name: "a key in a header",
    auth: { kind: "apiKey", in: "header", name: "X-Api-Key", value: { env: "TOKEN" } },
    header: "x-api-key",
    value: "s3cret/tok+en",
    target: "/items?q=x",
    missing: "TOKEN",
  },
  {
    name: "a key in the query",
    auth: { kind: "apiKey", in: "query", name: "api key", value: { env: "TOKEN" } },
    target: "/items?q=x&api%20key=s3cret%2Ftok%2Ben",
    missing: "TOKEN",
  },
];

describe.each(ways)("$name", ({ auth, header, value, target, missing }) => {
  test("is sent", async () => {
    const db = await withAuth(auth);
    await db.execute("SELECT id FROM t WHERE q = 'x'");
    expect(server.requests.map((request) => request.target)).toEqual([target]);
    if (header !== undefined) expect(server.requests[0].headers[header]).toBe(value);
  });

  test.each([
    { name: "not set", more: {}, detail: `${missing} is not set.` },
    { name: "empty", more: { ...env, [missing]: "" }, detail: `${missing} is empty.` },
  ])("a variable that is $name is told at the first call, before any request", async ({ more, detail }) => {
    const db = await withAuth(auth, more);
    await db.explain("SELECT id FROM t");
    await expect(db.execute("SELECT id FROM t")).rejects.toMatchObject({
      code: "HV000",
      message: `service "svc" needs the environment variable ${missing}`,
      detail: expect.stringContaining(detail),
    });
    expect(server.take()).toEqual([]);
  });

  test.each([
    { name: "401 that repeats the request", status: 401 },
    { name: "403", status: 403 },
    { name: "500", status: 500 },
  ])("secrets are in no error, plan, progress or relation: $name", async ({ status }) => {
    server.answer(({ headers, target: sent }) => ({
      status,
      json: { message: `bad: ${JSON.stringify(headers)} ${sent} s3cret/tok+en pä:ss word` },
    }));
    const db = await withAuth(auth);
    const events: unknown[] = [];
    const { text } = await errorOf(db.execute("SELECT id FROM t", { onProgress: (event) => void events.push(event) }));
    server.answer(() => ({ json: [{ id: 1 }] }));
    const shown = JSON.stringify([
      text,
      events,
      await db.explain("SELECT id FROM t"),
      await db.execute("EXPLAIN ANALYZE SELECT id FROM t"),
      (await db.execute("SELECT * FROM scratchpad.calls")).rows,
      (await db.execute("SELECT * FROM scratchpad.sources")).rows,
    ]);
    expect(text).toContain(`service "svc" answered ${status}`);
    for (const secret of ["s3cret", "tok+en", "tok%2Ben", "ss word", value?.split(" ")[1] ?? "s3cret"])
      expect(shown).not.toContain(secret);
  });
});

test("a variable with a line break is refused without showing it", async () => {
  const db = await withAuth({ kind: "bearer", token: { env: "TOKEN" } }, { TOKEN: "top-secret\n" });
  const { text } = await errorOf(db.execute("SELECT id FROM t"));
  expect(text).toContain('the environment variable TOKEN of service "svc" holds a line break');
  expect(text).not.toContain("top-secret");
  expect(server.take()).toEqual([]);
});

test("a token that no header carries is refused without showing it", async () => {
  const db = await withAuth({ kind: "bearer", token: { env: "TOKEN" } }, { TOKEN: "schlüssel€" });
  const { text } = await errorOf(db.execute("SELECT id FROM t"));
  expect(text).toContain('TOKEN of service "svc" holds characters that a header can\'t carry');
  expect(text).not.toContain("schlüssel");
});

test("the environment is the process's when none is given; a changed token is used from then on", async () => {
  const before = process.env.GLOVE_TEST_TOKEN;
  try {
    process.env.GLOVE_TEST_TOKEN = "first";
    const db = await httpDatabase(server.url, {
      schema,
      verbs,
      service: { auth: { kind: "bearer", token: { env: "GLOVE_TEST_TOKEN" } } },
    });
    await db.execute("SELECT id FROM t");
    process.env.GLOVE_TEST_TOKEN = "second";
    await db.execute("SELECT id FROM t");
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer first", "Bearer second"]);
  } finally {
    if (before === undefined) delete process.env.GLOVE_TEST_TOKEN;
    else process.env.GLOVE_TEST_TOKEN = before;
  }
});

describe("OAuth2 client credentials", () => {
  let tokens = 0;
  let valid = "";
  let life: number | undefined = 3600;
  let refuse: { status: number; json: unknown } | undefined;
  const oauth = (): HttpService => ({
    service: "svc",
    baseUrl: server.url,
    auth: {
      kind: "oauth2",
      tokenUrl: `${server.url}/token`,
      clientId: { env: "ID" },
      clientSecret: { env: "SECRET" },
      scopes: ["read", "write"],
      audience: "api",
    },
  });
  const client = { ID: "client:1", SECRET: "cl ient%secret" };
  const tableOf = (service: HttpService, name = "t", extra = {}) =>
    defineHttpResource(
      service,
      {
        name,
        description: "",
        volatility: "volatile",
        retry: { retries: 0 },
        verbs: { ...verbs, insert: { method: "POST", path: "/items", body: { q: "{q}" } } },
        ...extra,
      },
      schema,
      [],
      { env: client },
    );
  const databaseOf = async (...tables: ReturnType<typeof tableOf>[]) =>
    (await Database.create({ policy: { writes: true } })).registerAll(tables);

  beforeEach(() => {
    tokens = 0;
    life = 3600;
    refuse = undefined;
    server.answer(async ({ segments, headers }) => {
      if (segments[0] === "token") {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (refuse !== undefined) return refuse;
        valid = `token-${++tokens}`;
        return { json: { access_token: valid, token_type: "Bearer", ...(life !== undefined && { expires_in: life }) } };
      }
      return headers.authorization === `Bearer ${valid}` ? { json: [{ id: 1 }] } : { status: 401, json: {} };
    });
  });
  afterEach(() => {
    valid = "";
  });

  test("asks for one token, however many calls and tables there are", async () => {
    const service = oauth();
    const db = await databaseOf(tableOf(service), tableOf(service, "u"));
    await Promise.all([
      db.execute("SELECT t.id FROM t, u"),
      db.execute("SELECT id FROM t WHERE q = 'a'"),
      db.execute("SELECT id FROM u"),
    ]);
    const asked = server.requests.filter(({ segments }) => segments[0] === "token");
    expect(
      asked.map(({ method, body, headers }) => [method, body, headers["content-type"], headers.authorization]),
    ).toEqual([
      [
        "POST",
        "grant_type=client_credentials&scope=read+write&audience=api",
        "application/x-www-form-urlencoded",
        `Basic ${Buffer.from("client%3A1:cl+ient%25secret").toString("base64")}`,
      ],
    ]);
    expect(server.requests).toHaveLength(5);
  });

  test("renews a token that has ended", async () => {
    life = 0.001;
    const db = await databaseOf(tableOf(oauth()));
    await db.execute("SELECT id FROM t");
    await new Promise((resolve) => setTimeout(resolve, 5));
    await db.execute("SELECT id FROM t");
    expect(server.take()).toEqual(["POST /token", "GET /items", "POST /token", "GET /items"]);
  });

  test("renews a token that the service refuses, once; a write is sent again with it", async () => {
    life = undefined;
    const db = await databaseOf(tableOf(oauth()));
    await db.execute("SELECT id FROM t");
    valid = "revoked";
    await db.execute("INSERT INTO t (q) VALUES ('x')");
    expect(server.take()).toEqual(["POST /token", "GET /items", "POST /items", "POST /token", "POST /items"]);
  });

  test("a service that refuses the new token too is asked no more", async () => {
    const db = await databaseOf(tableOf(oauth()));
    server.answer(({ segments }) =>
      segments[0] === "token" ? { json: { access_token: "never-good" } } : { status: 401, json: { message: "no" } },
    );
    const { code, text } = await errorOf(db.execute("SELECT id FROM t"));
    expect(code).toBe("HV000");
    expect(text).toContain('service "svc" answered 401 Unauthorized');
    expect(text).not.toContain("never-good");
    expect(server.take()).toEqual(["POST /token", "GET /items", "POST /token", "GET /items"]);
  });

  test.each([
    {
      name: "the service's refusal",
      answer: { status: 401, json: { error: "invalid_client", error_description: "cl ient%secret is wrong" } },
      words: "invalid_client: … is wrong",
    },
    { name: "an answer without a token", answer: { status: 200, json: { error: "x" } }, words: "without a token" },
    {
      name: "a token of another type",
      answer: { status: 200, json: { access_token: "mac-token", token_type: "mac" } },
      words: 'gave a token of type "mac"',
    },
    { name: "a redirect", answer: { status: 302, json: {} }, words: "gave no token" },
  ])("$name is told without the secret, and the next statement tries anew", async ({ answer, words }) => {
    refuse = answer;
    const db = await databaseOf(tableOf(oauth()));
    const { code, text } = await errorOf(db.execute("SELECT id FROM t"));
    expect(code).toBe("HV000");
    expect(text).toContain(words);
    expect(text).not.toMatch(/cl ient|mac-token|Y2xpZW50/);
    refuse = undefined;
    await db.execute("SELECT id FROM t");
    expect(server.take()).toEqual(["POST /token", "POST /token", "GET /items"]);
  });

  test("a statement that is canceled while the token is asked for leaves the others theirs", async () => {
    const db = await databaseOf(tableOf(oauth()));
    const controller = new AbortController();
    const canceled = errorOf(db.execute("SELECT id FROM t WHERE q = 'c'", { signal: controller.signal }));
    const other = db.execute("SELECT id FROM t");
    controller.abort();
    expect((await canceled).code).toBe("57014");
    expect((await other).rows).toEqual([{ id: 1 }]);
    expect(server.take().filter((request) => request === "POST /token")).toHaveLength(1);
  });
});

describe("redirects", () => {
  let other: TestServer;
  beforeAll(async () => {
    other = await startTestServer(() => ({ json: [{ id: 2 }] }));
  });
  afterAll(() => other.close());
  beforeEach(() => {
    other.take();
  });
  const bearer: HttpAuth = { kind: "bearer", token: { env: "TOKEN" } };

  test("within the service are followed with the credentials", async () => {
    server.answer(({ segments }) =>
      segments[0] === "items" ? { status: 307, headers: { location: "/moved?x=1" } } : { json: [{ id: 3 }] },
    );
    const db = await withAuth(bearer);
    expect((await db.execute("SELECT id FROM t")).rows).toEqual([{ id: 3 }]);
    expect(server.requests.map(({ target, headers }) => [target, headers.authorization])).toEqual([
      ["/items", "Bearer s3cret/tok+en"],
      ["/moved?x=1", "Bearer s3cret/tok+en"],
    ]);
  });

  test("to another origin are refused when there are credentials, and followed when there are none", async () => {
    server.answer(() => ({ status: 302, headers: { location: `${other.url}/x` } }));
    const { text } = await errorOf((await withAuth(bearer)).execute("SELECT id FROM t"));
    expect(text).toContain(`answered with a redirect to another origin, ${other.url}`);
    expect(other.take()).toEqual([]);
    const open = await httpDatabase(server.url, { schema, verbs });
    expect((await open.execute("SELECT id FROM t")).rows).toEqual([{ id: 2 }]);
  });

  test("in a circle are given up", async () => {
    server.answer(() => ({ status: 302, headers: { location: "/items" } }));
    const { text } = await errorOf((await withAuth(bearer)).execute("SELECT id FROM t"));
    expect(text).toContain("with more than 5 redirects");
    expect(server.take()).toHaveLength(6);
  });
});
