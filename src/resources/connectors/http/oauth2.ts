/**
 * OAuth2 client credentials: one token for all resources of a service, asked for when it is first needed, and again shortly
 * before it ends or when the service refuses it. Source: RFC 6749, sections 4.4 and 2.3.1.
 */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import { untilAborted } from "../../call.js";
import { type Authorizer, authorization, basicCredentials } from "./auth.js";
import type { HttpAuth, HttpService } from "./definition.js";
import { excerpt, HttpError, isRefused, retryAfterMs } from "./errors.js";
import { hasControlCharacter, type Secrets } from "./secrets.js";

type OAuth2 = Extract<HttpAuth, { kind: "oauth2" }>;

/** Milliseconds that a token request may take. It is not one statement's: the others wait for the same token. */
const tokenTimeoutMs = 30_000;
/** A token is renewed so long before its end, since the request needs time to arrive; at most a tenth of its life. */
const maxMarginMs = 30_000;

interface Token {
  readonly text: string;
  /** `Date.now()` from which it is not used any more. */
  readonly staleAt: number;
}

/** The token of one service and client; all its resources share it. */
interface TokenHolder {
  current?: Promise<Token>;
  /** The text of the current token, once it is there. */
  text?: string;
}

/** Service → client id and secret → its token. A service that nobody refers to any more takes its tokens with it. */
const holders = new WeakMap<HttpService, Map<string, TokenHolder>>();

/** @param fetch how tokens are asked for */
export function clientCredentials(
  service: HttpService,
  auth: OAuth2,
  secrets: Secrets,
  fetch: typeof globalThis.fetch,
): Authorizer {
  let holder: TokenHolder | undefined;
  return {
    variables: [auth.clientId.env, auth.clientSecret.env],
    async credentials(signal) {
      signal.throwIfAborted();
      const id = secrets.read(auth.clientId);
      const secret = secrets.read(auth.clientSecret);
      holder = holderOf(service, [id, secret]);
      const token = await untilAborted(validToken(holder, { service, auth, secrets, fetch, id, secret }), signal);
      secrets.remember(token.text);
      return authorization(`Bearer ${token.text}`);
    },
    refused(credentials) {
      // Several calls may be refused with one token: only the first drops it, the others take the new one.
      if (holder?.text !== undefined && credentials.header?.value === `Bearer ${holder.text}`) drop(holder);
      return true;
    },
  };
}

function holderOf(service: HttpService, client: readonly [string, string]): TokenHolder {
  const clients = holders.get(service) ?? new Map<string, TokenHolder>();
  holders.set(service, clients);
  const key = JSON.stringify(client);
  const found = clients.get(key) ?? {};
  clients.set(key, found);
  return found;
}

interface TokenRequest {
  readonly service: HttpService;
  readonly auth: OAuth2;
  readonly secrets: Secrets;
  readonly fetch: typeof globalThis.fetch;
  readonly id: string;
  readonly secret: string;
}

/** The token that is there, or the one that is asked for: by one request, however many calls wait for it. */
async function validToken(holder: TokenHolder, request: TokenRequest): Promise<Token> {
  const current = holder.current;
  if (current !== undefined) {
    const token = await current;
    if (Date.now() < token.staleAt) return token;
    if (holder.current === current) drop(holder);
  }
  if (holder.current === undefined) {
    const asked = requestToken(request);
    holder.current = asked;
    asked.then(
      ({ text }) => {
        if (holder.current === asked) holder.text = text;
      },
      () => {
        if (holder.current === asked) drop(holder); // the next call tries anew; those who wait are told
      },
    );
  }
  return holder.current as Promise<Token>;
}

function drop(holder: TokenHolder): void {
  holder.current = undefined;
  holder.text = undefined;
}

async function requestToken({ service, auth, secrets, fetch, id, secret }: TokenRequest): Promise<Token> {
  const encoded = basicCredentials(formText(id), formText(secret));
  secrets.remember(encoded);
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (auth.scopes !== undefined && auth.scopes.length > 0) form.set("scope", auth.scopes.join(" "));
  if (auth.audience !== undefined) form.set("audience", auth.audience);
  const askedAt = Date.now();
  let response: Response;
  let body: string;
  try {
    response = await fetch(auth.tokenUrl, {
      method: "POST",
      headers: {
        Authorization: `Basic ${encoded}`,
        Accept: "application/json",
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body: form.toString(),
      redirect: "manual", // the secret goes nowhere else
      signal: AbortSignal.timeout(tokenTimeoutMs),
    });
    body = await response.text();
  } catch (error) {
    throw new HttpError(
      isRefused(error) ? sqlstate.cannotEstablishConnection : sqlstate.connectionFailure,
      `service "${service.service}" could not be asked for a token`,
      {
        detail: secrets.redact(`POST ${auth.tokenUrl}: ${error instanceof Error ? error.message : String(error)}`),
        hint: "Check that tokenUrl is right and that the service runs.",
        retryable: true,
        cause: error,
      },
    );
  }
  const answer = parsed(body);
  if (!response.ok) throw refusedToken(service, auth, response, secrets.redact(body));
  const { access_token: text, expires_in: expiresIn, token_type: type } = answer ?? {};
  if (typeof text !== "string" || text === "" || hasControlCharacter(text)) {
    throw new SqlError(sqlstate.fdwError, `service "${service.service}" answered a token request without a token`, {
      detail: `POST ${auth.tokenUrl} answered ${response.status} without a usable access_token.`, // the answer may hold one
    });
  }
  if (typeof type === "string" && type.toLowerCase() !== "bearer") {
    throw new SqlError(sqlstate.fdwError, `service "${service.service}" gave a token of type "${type}"`, {
      hint: "Only bearer tokens can be used.",
    });
  }
  const lifeMs = lifeOf(expiresIn);
  return { text, staleAt: askedAt + lifeMs - Math.min(maxMarginMs, lifeMs / 10) };
}

/** Milliseconds; without a statement, until it is refused. Some services write the seconds as a text. */
function lifeOf(expiresIn: unknown): number {
  const seconds = typeof expiresIn === "string" ? Number(expiresIn) : expiresIn;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : Number.POSITIVE_INFINITY;
}

/** As `application/x-www-form-urlencoded` writes it, which is what the Basic header of OAuth2 is made of. */
function formText(text: string): string {
  return new URLSearchParams({ t: text }).toString().slice(2);
}

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // whoever needs the answer says that it is none
  }
}

function refusedToken(service: HttpService, auth: OAuth2, response: Response, body: string): HttpError {
  const answer = parsed(body);
  const words = [answer?.error, answer?.error_description].filter((word) => typeof word === "string").join(": ");
  const { status } = response;
  const waitMs = retryAfterMs(response.headers.get("retry-after"), Date.now());
  return new HttpError(sqlstate.fdwError, `service "${service.service}" gave no token`, {
    detail: `POST ${auth.tokenUrl} answered ${status}: ${words === "" ? excerpt(body) : words}`,
    hint: `Check the values of ${auth.clientId.env} and ${auth.clientSecret.env}, and the scopes.`,
    retryable: status === 429 || status === 502 || status === 503 || status === 504,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  });
}
