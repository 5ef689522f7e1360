/** The content blocks of an answer as text and as data. */
import type { McpContent, McpToolResult } from "./types.js";

/**
 * The text of an answer: its text blocks and the text of embedded resources, one below the other. What has no text is
 * named in brackets, so that nothing of an answer is lost unseen. `undefined` when there is no text at all.
 */
export function textOf(result: McpToolResult): string | undefined {
  const blocks = Array.isArray(result.content) ? result.content : [];
  if (!blocks.some((block) => ownText(block) !== undefined)) return undefined;
  return blocks.map((block) => ownText(block) ?? labelOf(block)).join("\n");
}

/**
 * What `rows(data, …)` receives: the text, unparsed; the structured content when there is no text; else the blocks.
 * @throws TypeError for an answer against the protocol
 */
export function dataOf(result: McpToolResult): unknown {
  const text = textOf(result);
  if (text !== undefined) return text;
  if (result.structuredContent !== undefined) return result.structuredContent;
  const { content } = result as { content?: unknown };
  // Taken for "no rows" it would be a wrong answer.
  if (content !== undefined && content !== null && !Array.isArray(content)) {
    throw new TypeError("the content of the answer is not a list of blocks");
  }
  return Array.isArray(result.content) && result.content.length > 0 ? result.content : null;
}

/** The words of a failed call. */
export function failureText(result: McpToolResult): string {
  const text = textOf(result)?.trim();
  if (text !== undefined && text !== "") return text;
  return result.structuredContent === undefined ? "the tool gave no reason" : JSON.stringify(result.structuredContent);
}

function ownText(block: McpContent): string | undefined {
  if (block === null || typeof block !== "object") return undefined;
  if (block.type === "text" && typeof block.text === "string") return block.text;
  if (block.type !== "resource") return undefined;
  const resource = block["resource"];
  const embedded = typeof resource === "object" && resource !== null && "text" in resource ? resource.text : undefined;
  return typeof embedded === "string" ? embedded : undefined;
}

function labelOf(block: McpContent): string {
  const { uri, mimeType, data, resource } = (block ?? {}) as Record<string, unknown>;
  const within = typeof resource === "object" && resource !== null ? (resource as Record<string, unknown>) : {};
  const facts = [uri ?? within["uri"], mimeType ?? within["mimeType"]].filter((fact) => typeof fact === "string");
  if (typeof data === "string") facts.push(`${data.length} characters of base64`);
  return `[${[block?.type ?? "content", ...facts].join(" ")}]`;
}
