/** What a model is told about the database before the first statement. The length does not depend on the number of tables. */

/**
 * The text that `mountDatabase` adds to the system prompt.
 * @param explain whether `explain_sql` is there
 */
export function primeText(explain: boolean): string {
  return [
    "## SQL database of your tools",
    "Your tools are tables of a PostgreSQL database; work them with `execute_sql`.",
    "- Discover: SELECT table_name, description, required_keys FROM information_schema.tables; columns, types and enum_labels are in information_schema.columns.",
    "- Call: a table is read by calling its tool. WHERE column = value (or IN, or a join) passes arguments; columns with required_key must be bound.",
    "- Compose: join, aggregate, WITH, windows and INSERT … SELECT work across tools in one statement. Ask for what you need, not for everything.",
    "- Write: INSERT, UPDATE, DELETE call tools with effects. BEGIN; … stages them, SELECT * FROM scratchpad.staged_writes shows them, COMMIT fires, ROLLBACK drops.",
    ...(explain ? ["- Check: `explain_sql` shows the calls a statement would make without making them."] : []),
    "- Errors name the place and the next step: correct the statement and send it again. `truncated: true` means there are more rows.",
  ].join("\n");
}
