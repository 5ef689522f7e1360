/**
 * Sends a request and receives the whole answer: with credentials, which are renewed once when they are refused, and over
 * redirects that stay at the service. What the status means is left to the reader and the writer.
 */
import type { SqlError } from "../../../errors/sql-error.js";
import type { Authorizer, Credentials } from "./auth.js";
import { badAnswer, isRefused, noConnection, outcomeUnknown, type RequestLabel } from "./errors.js";
import type { HttpAnswer } from "./read-answer.js";
import type { HttpRequest } from "./request.js";
import type { Secrets } from "./secrets.js";

/** What sending needs to know of the service. */
export interface Sender {
  readonly service: string;
  readonly authorizer: Authorizer;
  readonly secrets: Secrets;
  readonly fetch: typeof globalThis.fetch;
  /** Whether requests carry something that no other origin may see. */
  readonly hasCredentials: boolean;
}

/** Redirects that one request may meet. */
const maxRedirects = 5;

/** What a request is for. A read may be a POST: a search whose arguments stand in the body. */
export type Purpose = "read" | "write";

/**
 * @throws HttpError 08001 or 08006 without an answer to a read; SqlError 40003 when a write was sent and not answered;
 *   the signal's reason when it is aborted
 */
export async function send(
  request: HttpRequest,
  purpose: Purpose,
  sender: Sender,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const credentials = await sender.authorizer.credentials(signal);
  const answer = await followed(request, purpose, credentials, sender, signal);
  // A request that was refused so has not been carried out: a write may be sent again as well.
  if (answer.status !== 401 || !sender.authorizer.refused(credentials)) return answer;
  return followed(request, purpose, await sender.authorizer.credentials(signal), sender, signal);
}

async function followed(
  request: HttpRequest,
  purpose: Purpose,
  credentials: Credentials,
  sender: Sender,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  let current = request;
  for (let redirects = 0; ; redirects++) {
    const label = labelOf(current, sender);
    const response = await fetched(current, purpose, credentials, sender, signal, label);
    const location = redirectOf(response, purpose, label);
    if (location === undefined) return received(response, current.url, purpose, signal, label);
    response.body?.cancel().catch(() => undefined); // nobody waits for the body of a redirect
    if (redirects === maxRedirects) throw badRedirect(response, label, `with more than ${maxRedirects} redirects`);
    current = redirected(current, purpose, response, location, sender, label);
  }
}

function labelOf(request: HttpRequest, sender: Sender): RequestLabel {
  const { method, url } = request;
  const { redact } = sender.secrets;
  return { service: sender.service, method, shownUrl: shortened(redact(url)), redact }; // half a secret is one, too
}

/** Characters of an address that messages show. */
const maxShownUrl = 500;

function shortened(url: string): string {
  return url.length > maxShownUrl ? `${url.slice(0, maxShownUrl)}…` : url;
}

async function fetched(
  request: HttpRequest,
  purpose: Purpose,
  credentials: Credentials,
  { fetch }: Sender,
  signal: AbortSignal,
  label: RequestLabel,
): Promise<Response> {
  const { header, query } = credentials;
  const url = new URL(request.url);
  if (query !== undefined) url.searchParams.delete(query.name); // a next page's address may repeat it
  const address = query === undefined ? request.url : `${url.href}${parameterText(url, query)}`;
  try {
    return await fetch(address, {
      method: request.method,
      headers: { ...request.headers, ...(header !== undefined && { [header.name.toLowerCase()]: header.value }) },
      ...(request.body !== undefined && { body: request.body }),
      redirect: "manual",
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw notAnswered(purpose, label, error);
  }
}

function parameterText(url: URL, { name, value }: { readonly name: string; readonly value: string }): string {
  return `${url.search === "" ? "?" : "&"}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

function notAnswered(purpose: Purpose, label: RequestLabel, error: unknown): SqlError {
  const isRead = purpose === "read";
  const failure = noConnection(label, error, isRead);
  return isRead || isRefused(error) ? failure : outcomeUnknown(label, failure.detail ?? failure.message, error);
}

async function received(
  response: Response,
  url: string,
  purpose: Purpose,
  signal: AbortSignal,
  label: RequestLabel,
): Promise<HttpAnswer> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw notAnswered(purpose, label, error);
  }
  const { status, statusText, headers } = response;
  return { status, statusText, headers, bytes, url, label };
}

/** Where the answer sends the request; `undefined` for an answer that is no redirect, or whose work is done (303 to a write). */
function redirectOf(response: Response, purpose: Purpose, label: RequestLabel): string | undefined {
  if (response.type === "opaqueredirect") throw badRedirect(response, label, "with a redirect that the runtime hides");
  if (![301, 302, 303, 307, 308].includes(response.status)) return undefined;
  if (response.status === 303 && purpose === "write") return undefined;
  const location = response.headers.get("location");
  if (location === null) throw badRedirect(response, label, "with a redirect that leads nowhere");
  return location;
}

function redirected(
  request: HttpRequest,
  purpose: Purpose,
  response: Response,
  location: string,
  { hasCredentials }: Sender,
  label: RequestLabel,
): HttpRequest {
  let url: URL;
  try {
    url = new URL(location, request.url);
  } catch {
    throw badRedirect(response, label, "with a redirect that leads nowhere");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw badRedirect(response, label, "with a redirect out of HTTP");
  const { status } = response;
  // 301 and 302 make a GET of a POST in most clients, for the service's work is done or never begins: who knows.
  if (request.method !== "GET" && (status === 301 || status === 302)) {
    if (purpose === "read") throw badRedirect(response, label, `with ${status}, which does not say how to go on`);
    throw outcomeUnknown(label, `it answered ${status} with another address, which is not followed for a write`);
  }
  const { origin } = new URL(request.url);
  if (url.origin !== origin && (hasCredentials || request.body !== undefined || purpose === "write")) {
    throw badRedirect(response, label, `with a redirect to another origin, ${url.origin}`);
  }
  if (status !== 303) return { ...request, url: url.href };
  const { "content-type": _, ...headers } = request.headers;
  return { method: "GET", url: url.href, headers }; // the answer stands at that address
}

function badRedirect(response: Response, label: RequestLabel, problem: string): SqlError {
  return badAnswer(label, problem, response.status, "", "Set baseUrl to the address that the service itself uses.");
}
