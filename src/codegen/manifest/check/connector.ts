/** Checks a connector beyond its format: addresses, and secrets that must not stand in a manifest. */
import { baseAddress } from "../../../resources/connectors/http/address.js";
import type { ConnectorDocument, HttpConnectorDocument } from "../format/manifest.js";
import type { Path, Report } from "../source.js";

export function checkConnector(connector: ConnectorDocument, path: Path, report: Report): void {
  if (connector.kind === "http") checkHttp(connector, path, report);
  if (connector.kind === "mcp") {
    if (connector.command !== undefined && connector.url !== undefined)
      report([...path, "url"], "a server has a command or a url, not both", { hint: "Leave one of them." });
    if (connector.url !== undefined) checkAddress(connector.url, [...path, "url"], report);
    checkHeaders(connector.headers, [...path, "headers"], report, "Write { env: NAME }, or give it when connecting.");
  }
}

function checkHttp(connector: HttpConnectorDocument, path: Path, report: Report): void {
  checkAddress(connector.baseUrl, [...path, "baseUrl"], report);
  checkHeaders(connector.headers, [...path, "headers"], report, "Use auth: it takes the secret from the environment.");
  const { auth } = connector;
  if (auth === undefined) return;
  const given = Object.keys(auth);
  if (given.length !== 1)
    report(
      [...path, "auth"],
      given.length === 0 ? "auth says nothing" : `auth has ${given.join(" and ")}; a request has one`,
      {
        hint: "Write one of bearer, basic, apiKey, oauth2, or leave auth out.",
      },
    );
  if (auth.oauth2 !== undefined) checkAddress(auth.oauth2.tokenUrl, [...path, "auth", "oauth2", "tokenUrl"], report);
}

function checkAddress(text: string, path: Path, report: Report): void {
  try {
    baseAddress({ service: "", baseUrl: text });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    report(path, error.message.replace('service "": baseUrl', `"${String(path.at(-1))}"`));
  }
}

/** Headers that carry secrets. */
const secretHeaders = ["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"];

/** Reports a header whose value would be a secret. */
export function checkHeaders(
  headers: Readonly<Record<string, unknown>> | undefined,
  path: Path,
  report: Report,
  hint: string,
): void {
  for (const [name, value] of Object.entries(headers ?? {}))
    if (secretHeaders.includes(name.toLowerCase()) && typeof value === "string" && !value.includes("{"))
      report([...path, name], `a secret never stands in a manifest: the header "${name}" would hold one`, { hint });
}
