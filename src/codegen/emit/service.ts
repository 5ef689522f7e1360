/** Emits what the resources of one service share: where it is. */
import { sqlName } from "../../resources/sql-names.js";
import type { ServiceManifest } from "../manifest/model.js";
import { camelCase, header, kebabCase } from "./names.js";
import { docComment, fieldLines, literalText, sentence } from "./text.js";

/** Name of the module; no resource's module begins so. */
export const serviceModule = "_service";

/** Name of the folder of a service. */
export function serviceFolder(manifest: ServiceManifest): string {
  return kebabCase(sqlName(manifest.service));
}

/** Name of the constant: `trackerService`, `memoryServer`. */
export function serviceConstant(manifest: ServiceManifest): string {
  return `${camelCase(sqlName(manifest.service))}${manifest.connector.kind === "mcp" ? "Server" : "Service"}`;
}

/** The text of the module; `undefined` for a service of which there is nothing to say. */
export function emitService(manifest: ServiceManifest): string | undefined {
  const { connector, service, description } = manifest;
  const constant = serviceConstant(manifest);
  if (connector.kind === "http") {
    const { kind: _, ...where } = connector;
    return `${header(manifest.file)}
import type { HttpService } from "glove-scratchpad/http";

${docComment([sentence(description)])}export const ${constant}: HttpService = ${literalText({ service, ...where })};
`;
  }
  if (connector.kind !== "mcp" || connector.server === undefined) return undefined;
  const { server } = connector;
  const [field, values] = "url" in server ? (["headers", server.headers] as const) : (["env", server.env] as const);
  const hasSecrets = Object.values(values ?? {}).some((value) => typeof value !== "string");
  const comment = docComment([
    sentence(description),
    "",
    `The server, for \`connectMcp({ namespace: ${JSON.stringify(service)}, ...${constant} })\`.`,
    ...(hasSecrets
      ? ["Environment variables of the program are read at that moment; one that is not set is an error."]
      : []),
  ]);
  if (values === undefined || !hasSecrets)
    return `${header(manifest.file)}\n${comment}export const ${constant} = ${literalText(server)};\n`;
  const plain = fieldLines(Object.fromEntries(Object.entries(server).filter(([name]) => name !== field)), 2);
  return `${header(manifest.file)}
import { textsOfEnvironment } from "glove-scratchpad";

${comment}export const ${constant} = {
${plain}  get ${field}(): Record<string, string> {
    return textsOfEnvironment(${JSON.stringify(service)}, ${literalText(values, 4)});
  },
};
`;
}
