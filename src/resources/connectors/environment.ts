/** Texts that stand in environment variables of the program, for servers that a generated module describes. */
import type { FromEnvironment } from "./http/definition.js";
import { Secrets } from "./http/secrets.js";

/**
 * The texts, with those that are `{ env: NAME }` read from `process.env`.
 * @param service for messages
 * @throws SqlError HV000 naming the variable that is not set; no error shows a value
 */
export function textsOfEnvironment(
  service: string,
  texts: Readonly<Record<string, string | FromEnvironment>>,
): Record<string, string> {
  const secrets = new Secrets(service, undefined);
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, typeof text === "string" ? text : secrets.read(text)]),
  );
}
