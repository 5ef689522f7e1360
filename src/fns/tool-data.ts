/** Data of tools as values: services send JSON as text, and a program wants the value. */

/**
 * The value of a tool's data. Text that is a JSON object or array is parsed; all other text stays as it is, so that `"007"`
 * and `"true"` keep their type. A list of content blocks (`{ type: "text", text }`) reads as its text.
 */
export function parseToolData(data: unknown): unknown {
  if (typeof data === "string") return parseText(data);
  if (Array.isArray(data) && data.length > 0 && data.every(isTextBlock)) {
    return parseText(data.map((block) => block.text).join("\n"));
  }
  return data;
}

function isTextBlock(value: unknown): value is { type: "text"; text: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    value.type === "text" &&
    "text" in value &&
    typeof value.text === "string"
  );
}

function parseText(text: string): unknown {
  const trimmed = text.trim();
  const looksLikeJson =
    (trimmed.startsWith("{") && trimmed.endsWith("}")) || (trimmed.startsWith("[") && trimmed.endsWith("]"));
  if (!looksLikeJson) return text;
  try {
    return JSON.parse(trimmed);
  } catch (error) {
    // Prose in brackets, such as `[FILE] a.txt … [DIR]`: it is text after all.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
