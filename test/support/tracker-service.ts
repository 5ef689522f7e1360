/**
 * The service behind `manifests/tracker.yaml`: projects, their issues, and comments on these, in memory, over HTTP.
 *
 * All under `/v1`, with `Authorization: Bearer <token>`:
 *
 *     GET    /v1/projects                                      ?limit= &cursor=                → { data, next_cursor }
 *     GET    /v1/projects/{key}/issues                         ?state= &since= &labels=a,b &sort=created|updated|number
 *                                                              &direction=asc|desc &limit= &cursor=  → { data, next_cursor }
 *     POST   /v1/projects/{key}/issues                         { title, body?, labels?, assignee? }  → 201, the issue
 *     PATCH  /v1/projects/{key}/issues/{number}                { title?, body?, state?, labels?, assignee? } → the issue
 *     DELETE /v1/projects/{key}/issues/{number}                → 204
 *     GET    /v1/projects/{key}/issues/{number}/comments       ?page= &per_page=               → [comment, …]
 *     POST   /v1/projects/{key}/issues/{number}/comments       { text }                        → 201, the comment
 *     DELETE /v1/projects/{key}/issues/{number}/comments/{id}  → 204
 *
 * `limit` and `per_page` are at most 100, 30 when left out. `labels` are all had by the issue; `since` compares
 * `updated_at` by `>=`. Errors are `{ "message": … }`: 401, 404, 422; 429 with `Retry-After` beyond the rate limit. Lists
 * carry an `ETag`. Ids of comments are beyond what a double holds.
 *
 * `npx tsx test/support/tracker-service.ts` serves it until it is stopped, and says where.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { type ServedAnswer, type ServedRequest, startTestServer, type TestServer } from "./http-server.js";

/** A project as the service gives it. */
export interface TrackerProject {
  key: string;
  name: string;
  description: string | null;
  archived: boolean;
  created_at: string;
}

/** An issue as the service gives it. */
export interface TrackerIssue {
  number: number;
  title: string;
  body: string | null;
  state: "open" | "closed";
  labels: string[];
  author: { login: string };
  assignee: { login: string } | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
}

/** A comment; the service writes `id` as an integer of 19 digits. */
export interface TrackerComment {
  id: bigint;
  author: { login: string };
  text: string;
  created_at: string;
}

export interface TrackerOptions {
  /** Default `tracker-token`. */
  readonly token?: string;
  /** Issues of the first project; default 65. The others have fewer. */
  readonly issues?: number;
  /** Every n-th request is answered 429 with `Retry-After: 0`. */
  readonly limitEvery?: number;
}

/** A running tracker. */
export interface TrackerService extends TestServer {
  /** `http://127.0.0.1:40123/v1`: the manifest's `baseUrl`. */
  readonly baseUrl: string;
  readonly token: string;
}

/** Starts the service on a free port, with the same data every time. */
export async function startTracker(options: TrackerOptions = {}): Promise<TrackerService> {
  const { token = "tracker-token", issues = 65, limitEvery } = options;
  const data = new TrackerData(issues);
  const server = await startTestServer((request, number) => {
    if (request.headers.authorization !== `Bearer ${token}`) return failure(401, "a valid token is needed");
    if (limitEvery !== undefined && number % limitEvery === 0)
      return { ...failure(429, "too many requests"), headers: { "retry-after": "0" } };
    return withEtag(request, data.answer(request));
  });
  return { ...server, baseUrl: `${server.url}/v1`, token };
}

const names = ["ada", "grace", "linus", "barbara"];
const labels = ["bug", "docs", "help wanted", "ui"];
const firstCommentId = 9_007_199_254_740_993n;

class TrackerData {
  private readonly projects: TrackerProject[];
  private readonly issues = new Map<string, TrackerIssue[]>();
  private readonly comments = new Map<TrackerIssue, TrackerComment[]>();
  private nextComment = firstCommentId;
  private clock = Date.parse("2026-03-01T00:00:00Z");

  constructor(count: number) {
    this.projects = [
      { key: "core", name: "Core", description: "The engine", archived: false, created_at: "2025-01-10T09:00:00Z" },
      { key: "web", name: "Web & docs", description: null, archived: false, created_at: "2025-02-11T10:30:00Z" },
      { key: "old/legacy", name: "Legacy", description: "Kept", archived: true, created_at: "2019-05-01T00:00:00Z" },
    ];
    for (const [p, { key }] of this.projects.entries()) {
      const made = Array.from({ length: p === 0 ? count : 4 - p }, (_, i) => this.sampleIssue(i + 1));
      this.issues.set(key, made);
      for (const issue of made.slice(0, 3))
        for (let i = 0; i < issue.number; i++) this.addComment(issue, `note ${i + 1}`);
    }
  }

  answer(request: ServedRequest): ServedAnswer {
    const [version, collection, key, kind, number, inner, id] = request.segments;
    if (version !== "v1" || collection !== "projects") return failure(404, "there is no such address");
    if (key === undefined) return request.method === "GET" ? byCursor(request, this.projects) : notAllowed();
    const issues = this.issues.get(key);
    if (issues === undefined || kind !== "issues") return failure(404, `there is no project ${key}`);
    if (number === undefined) return this.answerIssues(request, issues);
    const issue = issues.find((one) => String(one.number) === number);
    if (issue === undefined) return failure(404, `project ${key} has no issue ${number}`);
    if (inner === undefined) return this.answerIssue(request, issues, issue);
    return inner === "comments" ? this.answerComments(request, issue, id) : failure(404, "there is no such address");
  }

  private answerIssues(request: ServedRequest, issues: TrackerIssue[]): ServedAnswer {
    if (request.method === "GET") return byCursor(request, sorted(request, filtered(request, issues)));
    if (request.method !== "POST") return notAllowed();
    const body = JSON.parse(request.body) as Partial<TrackerIssue> & { assignee?: string | null };
    if (typeof body.title !== "string" || body.title === "") return failure(422, "title is missing");
    const now = this.now();
    const issue: TrackerIssue = {
      number: Math.max(0, ...issues.map((one) => one.number)) + 1,
      title: body.title,
      body: body.body ?? null,
      state: "open",
      labels: body.labels ?? [],
      author: { login: "token-owner" },
      assignee: personOf(body.assignee),
      created_at: now,
      updated_at: now,
      closed_at: null,
    };
    issues.push(issue);
    return { status: 201, json: issue };
  }

  private answerIssue(request: ServedRequest, issues: TrackerIssue[], issue: TrackerIssue): ServedAnswer {
    if (request.method === "GET") return { json: issue };
    if (request.method === "DELETE") {
      issues.splice(issues.indexOf(issue), 1);
      return { status: 204 };
    }
    if (request.method !== "PATCH") return notAllowed();
    const { assignee, ...fields } = JSON.parse(request.body) as Partial<TrackerIssue> & { assignee?: string | null };
    if (fields.state !== undefined && fields.state !== "open" && fields.state !== "closed")
      return failure(422, `state ${JSON.stringify(fields.state)} is neither open nor closed`);
    const now = this.now();
    if (fields.state !== undefined && fields.state !== issue.state)
      issue.closed_at = fields.state === "closed" ? now : null;
    Object.assign(issue, fields, { updated_at: now }, assignee !== undefined && { assignee: personOf(assignee) });
    return { json: issue };
  }

  private answerComments(request: ServedRequest, issue: TrackerIssue, id: string | undefined): ServedAnswer {
    const comments = this.comments.get(issue) ?? [];
    if (id !== undefined) {
      const at = comments.findIndex((comment) => String(comment.id) === id);
      if (request.method !== "DELETE") return notAllowed();
      if (at === -1) return failure(404, `there is no comment ${id}`);
      comments.splice(at, 1);
      return { status: 204 };
    }
    if (request.method === "POST") {
      const { text } = JSON.parse(request.body) as { text?: unknown };
      if (typeof text !== "string" || text === "") return failure(422, "text is missing");
      return { status: 201, ...jsonText(this.addComment(issue, text)) };
    }
    if (request.method !== "GET") return notAllowed();
    const size = sizeOf(request, "per_page");
    const page = Number(request.query.get("page") ?? 1);
    return jsonText(comments.slice((page - 1) * size, page * size));
  }

  private addComment(issue: TrackerIssue, text: string): TrackerComment {
    const comment = { id: this.nextComment, author: { login: names[issue.number % 4] }, text, created_at: this.now() };
    this.nextComment += 2n;
    this.comments.set(issue, [...(this.comments.get(issue) ?? []), comment]);
    return comment;
  }

  private sampleIssue(number: number): TrackerIssue {
    const isClosed = number % 3 === 0;
    const created = Date.parse("2026-01-01T00:00:00Z") + number * 3_600_000;
    const updated = created + (number % 7) * 86_400_000;
    return {
      number,
      title: `Issue ${number}`,
      body: number % 5 === 0 ? null : `Text of issue ${number}`,
      state: isClosed ? "closed" : "open",
      labels: labels.filter((_, i) => number % (i + 2) === 0),
      author: { login: names[number % 4] },
      assignee: number % 2 === 0 ? { login: names[(number + 1) % 4] } : null,
      created_at: iso(created),
      updated_at: iso(updated),
      closed_at: isClosed ? iso(updated) : null,
    };
  }

  /** A second later at each look. */
  private now(): string {
    this.clock += 1000;
    return iso(this.clock);
  }
}

function filtered({ query }: ServedRequest, issues: readonly TrackerIssue[]): TrackerIssue[] {
  const state = query.get("state");
  const since = query.get("since");
  const wanted = query.get("labels")?.split(",") ?? [];
  return issues.filter(
    (issue) =>
      (state === null || issue.state === state) &&
      (since === null || Date.parse(issue.updated_at) >= Date.parse(since)) &&
      wanted.every((label) => issue.labels.includes(label)),
  );
}

function sorted({ query }: ServedRequest, issues: readonly TrackerIssue[]): TrackerIssue[] {
  const by = query.get("sort") ?? "number";
  const sign = query.get("direction") === "desc" ? -1 : 1;
  const of = (issue: TrackerIssue) =>
    by === "created" ? Date.parse(issue.created_at) : by === "updated" ? Date.parse(issue.updated_at) : issue.number;
  return [...issues].sort((a, b) => sign * (of(a) - of(b)) || a.number - b.number);
}

function byCursor(request: ServedRequest, rows: readonly unknown[]): ServedAnswer {
  const size = sizeOf(request, "limit");
  const from = Number(Buffer.from(request.query.get("cursor") ?? "", "base64url").toString() || 0);
  if (!Number.isInteger(from)) return failure(422, "the cursor is none of this service");
  const next = from + size < rows.length ? Buffer.from(String(from + size)).toString("base64url") : null;
  return { json: { data: rows.slice(from, from + size), next_cursor: next } };
}

function sizeOf({ query }: ServedRequest, name: string): number {
  return Math.min(100, Math.max(1, Number(query.get(name) ?? 30)));
}

function personOf(login: string | null | undefined): { login: string } | null {
  return login === null || login === undefined ? null : { login };
}

function iso(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

/** JSON with the digits of a bigint. */
function jsonText(value: unknown): ServedAnswer {
  const marked = JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `bigint ${item}` : item));
  return { text: marked.replace(/"bigint (\d+)"/g, "$1"), headers: { "content-type": "application/json" } };
}

function failure(status: number, message: string): ServedAnswer {
  return { status, json: { message } };
}

function notAllowed(): ServedAnswer {
  return failure(405, "this address does not take that method");
}

function withEtag({ method, headers }: ServedRequest, answer: ServedAnswer): ServedAnswer {
  if (method !== "GET" || (answer.status ?? 200) !== 200) return answer;
  const body = answer.text ?? JSON.stringify(answer.json);
  const etag = `"${createHash("sha1").update(body).digest("base64url")}"`;
  if (headers["if-none-match"] === etag) return { status: 304, headers: { etag } };
  return { ...answer, headers: { ...answer.headers, etag } };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { baseUrl, token } = await startTracker();
  console.log(`TRACKER_URL=${baseUrl} TRACKER_TOKEN=${token}`);
}
