/** The address of a request: each value one segment of the path, percent-encoded, so that none can lead elsewhere. */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import type { HttpService } from "./definition.js";
import type { Filler } from "./placeholders.js";
import { cannotCarry, valueText } from "./values.js";

/**
 * The service's base address, without a slash at its end.
 * @throws TypeError for one that is not absolute, not HTTP, or has a user, a query or a fragment
 */
export function baseAddress(service: HttpService, override?: string): string {
  const text = override ?? service.baseUrl;
  const fail = (problem: string): never => {
    throw new TypeError(`service "${service.service}": baseUrl ${problem}, such as https://api.example.com/v1`);
  };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return fail(`${JSON.stringify(text)} must be an absolute address`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") fail(`must begin with https:// or http://`);
  if (url.username !== "" || url.password !== "") fail("must not hold a user or password: use auth");
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) fail("must not have a query or a fragment");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/**
 * The path of a verb with its values.
 * @throws SqlError 22023 for a value that no segment can carry: an empty one, `.` and `..`, which servers and clients resolve
 */
export function filledPath(path: string, filler: Filler): string {
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = filler.valueOf(name);
    const place = `the path ${path}`;
    if (value === undefined || value === null) {
      throw new SqlError(sqlstate.fdwMissingKey, `${place} needs a value for "${name}"`, {
        hint: `Add WHERE ${name} = …`,
      });
    }
    const text = valueText(value, place);
    if (text === "") throw cannotCarry(place, `an empty text for "${name}"`);
    return encoded(text, place);
  });
  for (const segment of filled.split("/")) {
    // Clients resolve %2e%2e too.
    if (/^(?:\.|%2e){1,2}$/i.test(segment)) throw cannotCarry(`the path ${path}`, `"${segment}" as a segment`);
  }
  filler.use(path);
  return filled;
}

/** The text percent-encoded for a segment or a parameter. @throws SqlError 22023 for half a surrogate pair */
export function encoded(text: string, place: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw cannotCarry(place, "half a surrogate pair, which is no character");
  }
}

/**
 * The address that an answer gives for the next page.
 * @throws SqlError HV000 for one of another origin: the credentials would go there
 */
export function nextAddress(next: unknown, current: string, service: string): string {
  if (typeof next !== "string") {
    throw new SqlError(sqlstate.fdwError, `service "${service}" gave an address of the next page that is no text`);
  }
  let url: URL;
  try {
    url = new URL(next, current);
  } catch {
    throw new SqlError(sqlstate.fdwError, `service "${service}" gave an address of the next page that is none`);
  }
  const { origin } = new URL(current);
  if (url.origin !== origin || url.username !== "" || url.password !== "") {
    throw new SqlError(sqlstate.fdwError, `service "${service}" gave an address of the next page at another origin`, {
      detail: `The read began at ${origin}, the next page would be at ${url.origin}.`,
      hint: "Nothing was sent there. Set baseUrl to the origin that the service itself uses.",
    });
  }
  url.hash = "";
  return url.href;
}
