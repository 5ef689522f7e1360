/** How requests are authorized: headers or a parameter made of environment variables, looked up at the first call. */
import type { HttpAuth, HttpService } from "./definition.js";
import { clientCredentials } from "./oauth2.js";
import type { Secrets } from "./secrets.js";

/** What a request carries to be let in. */
export interface Credentials {
  readonly header?: { readonly name: string; readonly value: string };
  readonly query?: { readonly name: string; readonly value: string };
}

/** The way of one service. */
export interface Authorizer {
  /**
   * @throws SqlError HV000 naming the environment variable that is missing; with OAuth2, what the token request met
   */
  credentials(signal: AbortSignal): Promise<Credentials>;
  /**
   * Told that credentials were refused (401).
   * @returns whether new ones can be had; they come with the next `credentials()`
   */
  refused(credentials: Credentials): boolean;
  /** Environment variables that it reads, for hints. */
  readonly variables: readonly string[];
}

/** @param fetch how tokens are asked for */
export function authorizerOf(service: HttpService, secrets: Secrets, fetch: typeof globalThis.fetch): Authorizer {
  const { auth } = service;
  if (auth === undefined) return fixed([], () => ({}));
  switch (auth.kind) {
    case "bearer":
      return fixed([auth.token.env], () => authorization(`Bearer ${secrets.readForHeader(auth.token)}`));
    case "basic":
      return fixed([auth.user.env, auth.password.env], () => {
        const encoded = basicCredentials(secrets.read(auth.user), secrets.read(auth.password));
        secrets.remember(encoded);
        return authorization(`Basic ${encoded}`);
      });
    case "apiKey":
      return fixed([auth.value.env], () => apiKey(auth, secrets));
    case "oauth2":
      return clientCredentials(service, auth, secrets, fetch);
  }
}

/** Credentials that the service's 401 can't change. They are read at every call: a host may set a new token. */
function fixed(variables: readonly string[], credentials: () => Credentials): Authorizer {
  return { variables, credentials: async () => credentials(), refused: () => false };
}

/** @returns the `Authorization` header */
export function authorization(value: string): Credentials {
  return { header: { name: "Authorization", value } };
}

function apiKey(auth: Extract<HttpAuth, { kind: "apiKey" }>, secrets: Secrets): Credentials {
  const { name, value } = auth;
  return auth.in === "header"
    ? { header: { name, value: secrets.readForHeader(value) } }
    : { query: { name, value: secrets.read(value) } };
}

/** User and password in Base64 of UTF-8. Source: RFC 7617. */
export function basicCredentials(user: string, password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)));
}
