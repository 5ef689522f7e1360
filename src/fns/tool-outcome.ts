/** What a tool of an agent framework answers, and how its failure is put into words. */

/** What a tool's `do` answers. */
export interface ToolOutcome {
  status: string;
  data?: unknown;
  message?: string;
}

/** The tool's own words: its message, else its data when that is text, else the data as JSON. */
export function toolFailureText(tool: string, outcome: ToolOutcome): string {
  if (typeof outcome.message === "string" && outcome.message !== "") return outcome.message;
  if (typeof outcome.data === "string" && outcome.data !== "") return outcome.data;
  const data = outcome.data === undefined || outcome.data === null ? "" : `: ${JSON.stringify(outcome.data)}`;
  return `tool ${JSON.stringify(tool)} ended with status ${outcome.status}${data}`;
}
