/** Answers of tools that only read, asked for while a manifest is made. */
import { isJsonSchema } from "../../../json-schema/schema.js";
import type { ImportedTool, ToolAnswer } from "./tools.js";

/** The part of a connection that sampling needs. */
export interface SampledConnection {
  callTool(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
}

/**
 * Calls each tool that says it only reads (`readOnlyHint: true`), needs no argument, and has no output schema. No other
 * tool is ever called: what a name promises is no reason to call it.
 * @returns answers by tool; and what could not be had, with the tool's words
 */
export async function sampleTools(
  tools: readonly ImportedTool[],
  connection: SampledConnection,
): Promise<{ answers: Map<string, ToolAnswer[]>; failed: Map<string, string> }> {
  const answers = new Map<string, ToolAnswer[]>();
  const failed = new Map<string, string>();
  for (const tool of tools.filter(isSampled)) {
    try {
      const answer = await connection.callTool(tool.name, {});
      if (answer.isError === true) failed.set(tool.name, "the tool reported an error");
      else answers.set(tool.name, [answer]);
    } catch (error) {
      failed.set(tool.name, error instanceof Error ? error.message : String(error));
    }
  }
  return { answers, failed };
}

function isSampled(tool: ImportedTool): boolean {
  if (tool.annotations?.readOnlyHint !== true || isJsonSchema(tool.outputSchema)) return false;
  const { required } = isJsonSchema(tool.inputSchema) ? tool.inputSchema : {};
  return !Array.isArray(required) || required.length === 0;
}
