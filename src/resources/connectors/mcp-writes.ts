/** What a write of an MCP resource must be able to carry, looked at before anything of the statement is sent. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { ResourceTable, Row } from "../resource.js";
import type { McpResourceDefinition, McpVerb } from "./mcp.js";
import { fillTemplate, type Template, templateColumns } from "./template.js";
import { writtenValues } from "./written-values.js";

/**
 * The `checkWrite` of a resource: every column of the write has an argument of the verb's tool, and every text that columns
 * stand in can be made.
 * @returns a function that throws SqlError 0A000 for a column that would be lost, HV002 for an argument that can't be made
 */
export function mcpWriteCheck(verbs: McpResourceDefinition["verbs"]): NonNullable<ResourceTable["checkWrite"]> {
  return ({ op, rows = [], set, match }) => {
    const verb = verbs[op];
    const written = op === "insert" ? rows.map(withoutNulls) : [writtenValues(set, match)];
    if (verb?.input === undefined) return;
    for (const row of written) checkSent(verb, verb.input, row);
  };
}

/** An INSERT leaves a NULL that no argument takes to the service. */
function withoutNulls(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));
}

/** A column that no argument of the tool carries would pass for written, or for the row that was meant. */
function checkSent({ tool }: McpVerb, input: Template, values: Row): void {
  const sent = new Set(templateColumns(input));
  const lost = Object.keys(values).find((column) => !sent.has(column));
  if (lost !== undefined) {
    throw new SqlError(sqlstate.featureNotSupported, `tool "${tool}" does not take "${lost}"`, {
      detail: "No argument of the tool carries it, so nothing was called.",
      hint: `Leave "${lost}" out of the statement.`,
    });
  }
  try {
    fillTemplate(input, values);
  } catch (cause) {
    throw new SqlError(sqlstate.fdwMissingKey, `tool "${tool}" can't be called: ${(cause as Error).message}`, {
      detail: "The column is a part of an argument, so nothing was called.",
      hint: "Give the column a value in the statement.",
      cause,
    });
  }
}
