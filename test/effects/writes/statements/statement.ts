/** A statement that writes, and the calls that it makes. */
export interface WriteStatement {
  readonly name: string;
  readonly sql: string;
  readonly params?: unknown[];
  /** Every call in order, reads first: `item.update {"qty":1} {"id":[2]}`. */
  readonly calls: readonly string[];
  /** SQLSTATE of the failure, and words that its message, detail or hint say. A failure has made no writing call. */
  readonly error?: { readonly code: string; readonly says: readonly string[] };
  /** RETURNING asks for what the service makes up, so that the statement can not be staged: 0A000. */
  readonly unstaged?: true;
  /** Why PostgreSQL over the same tables answers otherwise; it is not compared then. */
  readonly differs?: string;
}
