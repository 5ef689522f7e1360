/** What goes wrong between us and a server, as errors that name the server, the tool and what to do. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";

/** How a server is called in messages. */
export interface ServerLabel {
  namespace: string;
  /** The command line or the address, without secrets. */
  target: string;
  /** The last lines that the server wrote to its standard error. */
  lastWords(): string;
  /** The client's last complaint about what the server sends, such as a line that is no message. */
  complaint?(): string | undefined;
}

/** Longest argument list that is repeated in an error, in characters. */
const maxArgumentsShown = 500;

/** The package that connects is not installed. */
export function missingClientPackage(name: string, cause: unknown): SqlError {
  return new SqlError(sqlstate.featureNotSupported, `connecting to an MCP server needs the package "${name}"`, {
    hint: `Install it: npm install ${name}`,
    cause,
  });
}

/** The server could not be reached or started, or did not answer the greeting. */
export function cannotConnect(server: ServerLabel, cause: unknown): SqlError {
  return new SqlError(
    sqlstate.cannotEstablishConnection,
    `cannot connect to MCP server "${server.namespace}" (${server.target}): ${reasonOf(cause)}`,
    { ...withLastWords(server, cause), hint: hintFor(cause), cause },
  );
}

/** The connection is gone: `sent` tells whether the request had been handed over. */
export function connectionLost(server: ServerLabel, sent: boolean, cause: unknown): SqlError {
  return new SqlError(
    sent ? sqlstate.connectionFailure : sqlstate.connectionDoesNotExist,
    `the connection to MCP server "${server.namespace}" (${server.target}) ${sent ? "broke during the call" : "is closed"}`,
    { ...withLastWords(server), hint: "Connect to the server again.", cause },
  );
}

/** The server gave no answer in time. */
export function noAnswer(server: ServerLabel, what: string, timeoutMs: number, cause: unknown): SqlError {
  return new SqlError(
    sqlstate.queryCanceled,
    `${what} of MCP server "${server.namespace}" did not answer within ${timeoutMs} ms`,
    { ...withLastWords(server), hint: "Ask for less, or raise timeoutMs of the connection.", cause },
  );
}

/** The caller stopped the call. An error that was given as the reason is passed on as it is. */
export function stopped(signal: AbortSignal): SqlError {
  const { reason } = signal;
  if (reason instanceof SqlError) return reason;
  return new SqlError(sqlstate.queryCanceled, "canceling statement due to user request", { cause: reason });
}

/** The server answered a request with a protocol error, or with something that is no answer. */
export function requestFailed(server: ServerLabel, what: string, cause: unknown, args?: unknown): SqlError {
  return new SqlError(sqlstate.fdwError, `${what} of MCP server "${server.namespace}" failed`, {
    detail: withArguments(messageOf(cause), args),
    cause,
  });
}

/** A tool reported that it failed: its own words, and the arguments it was called with. */
export function toolFailed(namespace: string, tool: string, words: string, args: unknown, cause?: unknown): SqlError {
  return new SqlError(sqlstate.fdwError, `tool "${tool}" of MCP server "${namespace}" failed`, {
    detail: withArguments(words, args),
    cause,
  });
}

/** A call with effects was sent and nobody knows what became of it. */
export function outcomeUnknown(namespace: string, tool: string, args: unknown, cause: SqlError): SqlError {
  return new SqlError(
    sqlstate.statementCompletionUnknown,
    `tool "${tool}" of MCP server "${namespace}" was called and its outcome is unknown`,
    {
      detail: withArguments(cause.message, args),
      hint: "Read the data it changes before trying again: it may have been done.",
      cause,
    },
  );
}

function withArguments(words: string, args: unknown): string {
  if (args === undefined) return words;
  const text = JSON.stringify(args) ?? "";
  return `${words}\nArguments: ${text.length > maxArgumentsShown ? `${text.slice(0, maxArgumentsShown)}…` : text}`;
}

function withLastWords(server: ServerLabel, cause?: unknown): { detail?: string } {
  const parts: string[] = [];
  const words = server.lastWords();
  if (words !== "") parts.push(`Last lines of its standard error:\n${words}`);
  const complaint = server.complaint?.();
  if (complaint !== undefined && complaint !== messageOf(cause)) parts.push(`The client could not read: ${complaint}`);
  return parts.length === 0 ? {} : { detail: parts.join("\n") };
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** One line that says why, with what lies under a `fetch failed`. */
function reasonOf(cause: unknown): string {
  const message = messageOf(cause).split("\n")[0];
  const inner = cause instanceof Error ? cause.cause : undefined;
  if (inner === undefined || inner === null) return message;
  const code = typeof inner === "object" && "code" in inner && typeof inner.code === "string" ? inner.code : undefined;
  const under = code ?? messageOf(inner).split("\n")[0];
  return under === "" || message.includes(under) ? message : `${message} (${under})`;
}

function hintFor(cause: unknown): string {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  const status = typeof cause === "object" && cause !== null && "status" in cause ? Number(cause.status) : undefined;
  if (code === "ENOENT") return "Check that the command is installed and that its path is right.";
  if (code === "EACCES") return "Check that the command may be executed.";
  if (isUnreachable(cause)) return "Check that the address is right and that the server runs.";
  if (status === 401 || status === 403 || code === "CLIENT_HTTP_AUTHENTICATION") {
    return 'Pass the credentials: headers: { Authorization: "Bearer …" }.';
  }
  if (status !== undefined) return "Check that the address is that of a streamable HTTP endpoint.";
  return "Start the server by hand with the same command and environment to see what it needs.";
}

function isUnreachable(cause: unknown): boolean {
  return cause instanceof TypeError && cause.message === "fetch failed";
}

/**
 * A command line as it may be shown: values of options that sound like secrets are left out.
 */
export function commandText(command: string, args: readonly string[]): string {
  const secret = /token|secret|passw|api[-_]?key|credential|auth/i;
  const shown = args.map((arg, i) => {
    const [option, value] = splitOption(arg);
    if (value !== undefined && secret.test(option)) return `${option}=…`;
    const previous = args[i - 1];
    return previous?.startsWith("-") && !previous.includes("=") && secret.test(previous) && !arg.startsWith("-")
      ? "…"
      : arg;
  });
  return [command, ...shown].join(" ");
}

function splitOption(arg: string): [string, string?] {
  const at = arg.indexOf("=");
  return at < 0 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}

/** An address without user, password and query, which may hold secrets. */
export function urlText(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
