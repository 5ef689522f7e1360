/** One request, made of a verb's templates and the values of a call. */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import { encoded, filledPath } from "./address.js";
import type { HttpMethod, HttpQueryValue, HttpVerb } from "./definition.js";
import { Filler, type PlaceholderValues } from "./placeholders.js";
import { hasControlCharacter } from "./secrets.js";
import { cannotCarry, jsonText, valueText, valueTexts } from "./values.js";

/** A request without its credentials. */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What every request of a resource begins with. */
export interface RequestBase {
  /** Without a slash at its end. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Further parameters of one request: what paging adds. */
export interface Extra {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Fields of the body; a dot leads into an object: `variables.after`. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A request, and the placeholders whose values stand in it. */
export interface FilledRequest {
  readonly request: HttpRequest;
  readonly used: ReadonlySet<string>;
}

/**
 * Fills the verb's templates.
 * @throws SqlError 22023 for a value that its place cannot carry, HV002 for a path without a value
 */
export function fillRequest(
  base: RequestBase,
  verb: HttpVerb,
  values: PlaceholderValues,
  extra: Extra = {},
): FilledRequest {
  const filler = new Filler(values);
  const path = filledPath(verb.path, filler);
  const query = [
    ...parameters(verb.query ?? {}, filler, "query parameter", Object.keys(extra.query ?? {})),
    ...Object.entries(extra.query ?? {}).map(([name, value]) => [name, String(value)] as const),
  ];
  const body = bodyOf(verb, filler, extra);
  const request: HttpRequest = {
    method: verb.method,
    url: `${base.address}${path}${query.length === 0 ? "" : `?${queryText(query)}`}`,
    headers: {
      accept: "application/json",
      ...lowerCased(base.headers),
      ...(body !== undefined && { "content-type": body.type }),
      ...headersOf(verb.headers ?? {}, filler),
    },
    ...(body !== undefined && { body: body.text }),
  };
  return { request, used: filler.used };
}

function queryText(query: readonly (readonly [string, string])[]): string {
  return query
    .map(([name, value]) => `${encoded(name, "a parameter")}=${encoded(value, `query parameter "${name}"`)}`)
    .join("&");
}

/** Name and text of each parameter; lists are repeated or joined. @param replaced names that are given otherwise */
function parameters(
  templates: Readonly<Record<string, HttpQueryValue>>,
  filler: Filler,
  kind: string,
  replaced: readonly string[] = [],
): (readonly [string, string])[] {
  return Object.entries(templates).flatMap(([name, given]) => {
    if (replaced.includes(name)) return [];
    const place = `${kind} "${name}"`;
    const join = joinOf(given);
    if (join === undefined) {
      const value = filler.parameter(given as never, place);
      return value === undefined ? [] : valueTexts(value, place).map((text) => [name, text] as const);
    }
    const value = filler.parameter((given as { value: never }).value, place, true);
    return value === undefined ? [] : [[name, joined(valueTexts(value, place), join, place)] as const];
  });
}

/** The separator of a joined list. A template is never an object with `join` in a parameter. */
export function joinOf(value: HttpQueryValue): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return (value as { join?: string }).join;
}

/** @throws SqlError 22023 when a value contains the separator: the service would take it for two */
function joined(texts: readonly string[], separator: string, place: string): string {
  const split = texts.find((text) => separator !== "" && text.includes(separator));
  if (split !== undefined) {
    throw new SqlError(
      sqlstate.invalidParameterValue,
      `${place} can't carry the value ${JSON.stringify(split)}, which contains the separator ${JSON.stringify(separator)}`,
    );
  }
  return texts.join(separator);
}

function bodyOf(verb: HttpVerb, filler: Filler, extra: Extra): { type: string; text: string } | undefined {
  if (verb.form !== undefined) {
    const fields = parameters(verb.form, filler, "form field").map(([name, text]) => [name, text]);
    for (const [name, text] of fields) encoded(text, `form field "${name}"`); // URLSearchParams would send U+FFFD
    return { type: "application/x-www-form-urlencoded", text: new URLSearchParams(fields).toString() };
  }
  let body = verb.body === undefined ? undefined : filler.json(verb.body);
  for (const [path, value] of Object.entries(extra.body ?? {})) body = withField(body ?? {}, path.split("."), value);
  return body === undefined ? undefined : { type: "application/json", text: jsonText(body) };
}

function withField(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  const object = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  const inner = Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
  return { ...object, [name]: rest.length === 0 ? value : withField(inner, rest, value) };
}

function headersOf(templates: NonNullable<HttpVerb["headers"]>, filler: Filler): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, template] of Object.entries(templates)) {
    const place = `header "${name}"`;
    const value = filler.parameter(template, place);
    if (value === undefined) continue;
    const text = Array.isArray(value) ? joined(valueTexts(value, place), ",", place) : valueText(value, place);
    checkHeader(text, place);
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

/** @throws SqlError 22023 for a text that would arrive as another one, or as a header of its own */
function checkHeader(text: string, place: string): void {
  if (hasControlCharacter(text)) throw cannotCarry(place, "a line break or another control character");
  if (/[^\x20-\x7e\t]/.test(text)) throw cannotCarry(place, "characters beyond ASCII");
  if (text.trim() !== text) throw cannotCarry(place, "blanks at the beginning or end");
}

export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
