/** What all operations of a document share: where the service is, and how requests are authorized. */
import type { Note, Yaml } from "../draft.js";
import { wordsOf } from "../words.js";
import { type OpenApiDocument, type Part, partOf, partsOf, textOf } from "./document.js";

/** The base address, absolute where it is known. */
export interface ServerAddress {
  readonly baseUrl: string;
  readonly notes: readonly Note[];
}

/**
 * @param given the address that the caller wants, which wins; a relative server of the document is resolved against it
 * @throws Error when there is none and the document has only a relative one that cannot be kept
 */
export function serverOf({ version, root }: OpenApiDocument, given: string | undefined): ServerAddress {
  const declared = version === "2.0" ? [swaggerServer(root)] : partsOf(root["servers"], root).map(filledServer);
  const [first] = declared.filter((url): url is string => url !== undefined);
  const at = ["connector"];
  if (given !== undefined) {
    const isRelative = first !== undefined && !/^https?:/i.test(first);
    return { baseUrl: withoutSlash(isRelative ? new URL(first, withSlash(given)).href : given), notes: [] };
  }
  const notes: Note[] = [];
  if (declared.length > 1)
    notes.push({ at, text: `the document names ${declared.length} servers; the first was taken` });
  if (first !== undefined && /^https?:\/\/[^/]/i.test(first)) {
    if (/^http:/i.test(first)) notes.push({ at, text: "the document names the service by http; prefer https" });
    return { baseUrl: withoutSlash(first), notes };
  }
  const path = first === undefined || first === "/" ? "" : first;
  const relative = first === undefined ? "names no server" : `names the server relative to itself (${first})`;
  notes.push({
    at,
    text: `the document ${relative}; put the service's host in place of localhost (or import with --base-url)`,
  });
  return { baseUrl: withoutSlash(`http://localhost${path.startsWith("/") || path === "" ? path : `/${path}`}`), notes };
}

function swaggerServer(root: Part): string | undefined {
  const host = textOf(root["host"]);
  const path = textOf(root["basePath"]) ?? "";
  if (host === undefined) return path === "" ? undefined : path;
  const schemes = Array.isArray(root["schemes"]) ? root["schemes"] : [];
  const scheme = schemes.includes("https") || schemes.length === 0 ? "https" : String(schemes[0]);
  return `${scheme}://${host}${path}`;
}

/** The address with the defaults of its variables. */
function filledServer(server: Part): string | undefined {
  const variables = partOf(server["variables"], server);
  return textOf(server["url"])?.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const usual = partOf(variables[name], server).default;
    return usual === undefined ? whole : String(usual);
  });
}

const withSlash = (url: string) => (url.endsWith("/") ? url : `${url}/`);
const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/** The connector's `auth`, and parameters that carry the same secret and need no column. */
export interface Authorization {
  readonly auth?: Yaml;
  /** `header:api_key`, in lower case. */
  readonly parameters: ReadonlySet<string>;
  readonly notes: readonly Note[];
}

/** Parameters by which services take their tokens beside what the document declares as security. */
const tokenNames: readonly string[] = ["token", "access_token", "authorization", "api_key", "apikey", "x-api-key"];

/** Reads the security schemes: the one that most operations name is the connector's. */
export function authorizationOf({ version, root }: OpenApiDocument, service: string): Authorization {
  const declared =
    version === "2.0" ? root["securityDefinitions"] : partOf(root["components"], root)["securitySchemes"];
  const schemes = Object.entries(partOf(declared, root)).map(([name, scheme]) => [name, partOf(scheme, root)] as const);
  const at = ["connector"];
  if (schemes.length === 0) {
    const text = "the document declares no security scheme; if requests need a token, add auth: { bearer: { env: … } }";
    return { parameters: new Set(), notes: [{ at, text }] };
  }
  const ranked = rankedSchemes(root, new Set(schemes.map(([name]) => name)));
  const [name, scheme] = schemes.find(([one]) => one === ranked[0]) ?? schemes[0];
  const read = schemeOf(scheme, service.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_"));
  const notes: Note[] = read.notes.map((text) => ({ at, text: `security scheme "${name}": ${text}` }));
  if (schemes.length > 1)
    notes.push({ at, text: `of the security schemes ${schemes.map(([one]) => one).join(", ")}, "${name}" was taken` });
  const parameters = new Set(tokenNames.flatMap((token) => [`header:${token}`, `query:${token}`]));
  for (const [, one] of schemes)
    if (one.type === "apiKey") parameters.add(`${String(one["in"])}:${String(one["name"])}`.toLowerCase());
  return { ...(read.auth !== undefined && { auth: read.auth }), parameters, notes };
}

/** Names of schemes, the one used most first. */
function rankedSchemes(root: Part, known: ReadonlySet<string>): string[] {
  const uses = new Map<string, number>();
  const count = (security: unknown, weight: number) => {
    for (const requirement of partsOf(security, root))
      for (const name of Object.keys(requirement)) if (known.has(name)) uses.set(name, (uses.get(name) ?? 0) + weight);
  };
  count(root["security"], 1000);
  for (const item of Object.values(partOf(root["paths"], root)))
    for (const operation of Object.values(partOf(item, root))) count(partOf(operation, root)["security"], 1);
  return [...uses].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

function schemeOf(scheme: Part, prefix: string): { auth?: Yaml; notes: string[] } {
  const bearer = { bearer: { env: `${prefix}_TOKEN` } };
  const basic = { basic: { user: { env: `${prefix}_USER` }, password: { env: `${prefix}_PASSWORD` } } };
  const kind = String(scheme.type);
  if (kind === "basic") return { auth: basic, notes: [] };
  if (kind === "http") {
    const word = String(scheme["scheme"]).toLowerCase();
    if (word === "basic") return { auth: basic, notes: [] };
    return {
      auth: bearer,
      notes: word === "bearer" ? [] : [`HTTP scheme "${word}" is not known; a bearer token is sent`],
    };
  }
  if (kind === "apiKey") {
    const place = String(scheme["in"]);
    if (place !== "header" && place !== "query")
      return { notes: [`a key in a ${place} is not supported; requests carry none`] };
    return { auth: { apiKey: { in: place, name: String(scheme["name"]), env: `${prefix}_API_KEY` } }, notes: [] };
  }
  if (kind === "oauth2") return oauth2(scheme, prefix, bearer);
  return { auth: bearer, notes: [`"${kind}" needs a token that is had elsewhere; it is sent as a bearer token`] };
}

function oauth2(scheme: Part, prefix: string, bearer: Yaml): { auth: Yaml; notes: string[] } {
  const flows = partOf(scheme["flows"], scheme);
  const own = scheme["flow"] === "application" ? scheme : partOf(flows["clientCredentials"], scheme);
  const tokenUrl = textOf(own["tokenUrl"]);
  if (tokenUrl !== undefined && /^https?:/.test(tokenUrl)) {
    const scopes = Object.keys(partOf(own["scopes"], scheme));
    const oauth = {
      tokenUrl,
      clientId: { env: `${prefix}_CLIENT_ID` },
      clientSecret: { env: `${prefix}_CLIENT_SECRET` },
      ...(scopes.length > 0 && { scopes }),
    };
    const notes = scopes.length > 1 ? ["all scopes are asked for; leave those that are enough"] : [];
    return { auth: { oauth2: oauth }, notes };
  }
  const flow = scheme["flow"] ?? Object.keys(flows)[0] ?? "unknown";
  return {
    auth: bearer,
    notes: [`OAuth 2 with the flow "${String(flow)}" needs a person; its token is sent as a bearer token`],
  };
}

/** A service's short name from a document's title: `GitHub v3 REST API` → `github`. */
export function serviceName(root: Part): string {
  const noise = new Set([
    "api",
    "rest",
    "the",
    "web",
    "openapi",
    "swagger",
    "spec",
    "specification",
    "service",
    "http",
  ]);
  const words = wordsOf(
    (textOf(partOf(root["info"], root)["title"]) ?? "service").normalize("NFKD").replaceAll("'", ""),
  )
    .map((word) => word.replaceAll(/[^a-z0-9]/g, ""))
    .filter((word) => word !== "" && !noise.has(word) && !/^v?\d+$/.test(word));
  // `Git Hub` is one word that a capital letter took apart.
  const title = textOf(partOf(root["info"], root)["title"]) ?? "";
  const first = /^[A-Za-z]+/.exec(title)?.[0].toLowerCase();
  if (first !== undefined && words.length > 1 && first === words[0] + words[1]) words.splice(0, 2, first);
  const name = words.slice(0, 2).join("_");
  return /^[a-z]/.test(name) ? name : `service${name === "" ? "" : `_${name}`}`;
}
