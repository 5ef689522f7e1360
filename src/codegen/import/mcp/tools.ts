/** The tools of an MCP server as importers take them: from a file, or as a connection lists them. */
import type { JsonSchema } from "../../../json-schema/schema.js";

/** One tool, as `tools/list` gives it. */
export interface ImportedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** An answer of a tool that was recorded, or is asked for while sampling. */
export interface ToolAnswer {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** A saved list of tools: that of `tools/list`, alone or with what is known of the server. */
export interface ToolList {
  readonly server?: string;
  readonly description?: string;
  readonly tools: readonly ImportedTool[];
}

/**
 * Reads a saved list: an array of tools, `{ tools: […] }` or a whole `tools/list` answer.
 * @returns `undefined` when the document is something else
 */
export function toolListOf(document: unknown): ToolList | undefined {
  if (Array.isArray(document)) return document.every(isTool) ? { tools: document } : undefined;
  if (typeof document !== "object" || document === null) return undefined;
  const { tools, result, server, serverInfo } = document as Record<string, unknown>;
  if (tools === undefined && result !== undefined) return toolListOf(result);
  if (!Array.isArray(tools)) return undefined;
  const info = (typeof serverInfo === "object" && serverInfo !== null ? serverInfo : {}) as Record<string, unknown>;
  const name = [server, info["name"]].find((value) => typeof value === "string" && value !== "");
  const title = info["title"];
  return {
    tools: tools.filter(isTool),
    ...(typeof name === "string" && { server: name }),
    ...(typeof title === "string" && title !== "" && { description: title }),
  };
}

function isTool(value: unknown): value is ImportedTool {
  return (
    typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string" &&
    value.name !== ""
  );
}

/**
 * Recorded calls by tool: `{ calls: [{ tool, arguments, result }] }`. Calls that failed say nothing of rows.
 * @throws TypeError when the document is something else
 */
export function recordedAnswers(document: unknown): Map<string, ToolAnswer[]> {
  const calls = (document as { calls?: unknown } | null)?.calls;
  if (!Array.isArray(calls)) throw new TypeError("recorded calls are { calls: [{ tool, result }] }");
  const answers = new Map<string, ToolAnswer[]>();
  for (const call of calls as { tool?: unknown; result?: ToolAnswer }[]) {
    if (typeof call?.tool !== "string" || typeof call.result !== "object" || call.result === null) continue;
    if (call.result.isError === true) continue;
    answers.set(call.tool, [...(answers.get(call.tool) ?? []), call.result]);
  }
  return answers;
}

/** The data of an answer: its structured content, or its text read as JSON; `undefined` when it is only words. */
export function dataOfAnswer(answer: ToolAnswer): unknown {
  if (answer.structuredContent !== undefined && answer.structuredContent !== null) return answer.structuredContent;
  if (!Array.isArray(answer.content)) return undefined;
  const texts = (answer.content as { type?: unknown; text?: unknown }[]).flatMap((block) =>
    block?.type === "text" && typeof block.text === "string" ? [block.text] : [],
  );
  // One text is one document; several are not the parts of one.
  if (texts.length !== 1 || answer.content.length !== 1) return undefined;
  try {
    const data: unknown = JSON.parse(texts[0]);
    return typeof data === "object" && data !== null ? data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
