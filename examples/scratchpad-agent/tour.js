/** The tour: what is said, and the statement that shows it. `fails` marks what is meant to be refused. */

/** @typedef {{ title: string, text: string, sql: string, fails?: boolean, options?: import("glove-scratchpad").ExecuteOptions, newSession?: boolean }} Stop */

/** The frame of one feedback file as columns. */
const feedback = `
  SELECT f.name,
         substring(t.content from 'customer: (\\w+)') AS customer,
         substring(t.content from 'topic: (\\w+)') AS topic,
         substring(t.content from 'urgency: (\\w+)') AS urgency
  FROM files f
  JOIN file_text t ON t.path = f.path || '/' || f.name
  WHERE f.path = 'feedback'`
  .trim()
  .replaceAll("\n  ", "\n");

/** @type {readonly Stop[]} */
export const tour = [
  {
    title: "Discover",
    text: "Tables are found the way SQL finds them. Nothing is called.",
    sql: "SELECT table_name, array_to_string(verbs, ', ') AS verbs,\n       array_to_string(required_keys, ', ') AS required, description\nFROM information_schema.tables ORDER BY table_name",
  },
  {
    title: "Columns",
    text: "required_key says what WHERE must bind; enum_labels lists a closed set.",
    sql: "SELECT column_name, data_type, required_key, enum_labels, description\nFROM information_schema.columns WHERE table_name = 'files'",
  },
  {
    title: "Call",
    text: "An equality in WHERE is the argument of the tool call: list_directory_with_sizes(path: 'feedback').",
    sql: "SELECT name, size FROM files WHERE path = 'feedback' ORDER BY name",
  },
  {
    title: "Join",
    text: "Each file is read by a call of its own; the paths come from the other table. The calls run side by side.",
    sql: `${feedback}\nORDER BY f.name`,
  },
  {
    title: "Join across services, and aggregate",
    text: "Files of a server, tasks of this program: one statement.",
    sql: `WITH feedback AS (\n  ${feedback.replaceAll("\n", "\n  ")}\n)\nSELECT topic, count(*) AS reports, count(*) FILTER (WHERE urgency = 'high') AS urgent,\n       string_agg(DISTINCT customer, ', ' ORDER BY customer) AS customers,\n       max(task.title) AS task, max(task.owner) AS owner\nFROM feedback LEFT JOIN tasks task USING (topic)\nGROUP BY topic ORDER BY urgent DESC, topic`,
  },
  {
    title: "From one server into another",
    text: "INSERT … SELECT reads files through one MCP server and creates entities through another. One call a row.",
    sql: `INSERT INTO memory_entities (name, entity_type, observations)\nSELECT customer, 'customer', jsonb_agg(topic || ' (' || urgency || ')' ORDER BY name)\nFROM (\n  ${feedback.replaceAll("\n", "\n  ")}\n) AS feedback\nGROUP BY customer`,
  },
  {
    title: "Read it back",
    text: "Another session asks the memory server itself.",
    sql: "SELECT name, entity_type, observations FROM memory_entities ORDER BY name",
    newSession: true,
  },
  {
    title: "Stage",
    text: "Inside a transaction a write waits. The script stays open, so it can be looked at.",
    sql: "BEGIN;\nINSERT INTO emails (to_addr, subject, body)\nSELECT owner || '@example.org', 'Due ' || due_date, title FROM tasks WHERE NOT done",
  },
  {
    title: "Preview",
    text: "What would happen, as statements.",
    sql: "SELECT id, sql FROM scratchpad.staged_writes ORDER BY id",
  },
  { title: "Roll back", text: "Nothing is sent.", sql: "ROLLBACK" },
  { title: "The outbox is empty", text: "", sql: "SELECT count(*) AS messages FROM emails" },
  {
    title: "Stage and commit",
    text: "One script: two writes are staged, then fired in order. Each leaves a receipt.",
    sql: "BEGIN;\nUPDATE tasks SET done = true WHERE id = 1;\nINSERT INTO emails (to_addr, subject, body)\nVALUES ('dana@example.org', 'Export limit', 'Raised. Acme and Hooli are told.');\nCOMMIT",
  },
  {
    title: "The effects are there",
    text: "",
    sql: "SELECT e.subject, e.body, t.title, t.done FROM emails e, tasks t WHERE t.id = 1",
    newSession: true,
  },
  {
    title: "Explain",
    text: "Which calls a statement would make, and where their arguments come from. Nothing is called.",
    sql: "EXPLAIN SELECT t.content FROM files f JOIN file_text t ON t.path = f.path || '/' || f.name\nWHERE f.path = 'runbooks' AND f.kind = 'file'",
  },
  {
    title: "A write that is not allowed here",
    text: "The host asked for staged writes only.",
    sql: "DELETE FROM memory_entities WHERE name = 'Acme'",
    options: { allowWrites: false },
    fails: true,
  },
  { title: "A missing key", text: "Found before any call.", sql: "SELECT content FROM file_text", fails: true },
  {
    title: "A mistyped column",
    text: "The nearest name is in the hint, so that a model can correct itself.",
    sql: "SELECT titel FROM tasks WHERE owner = 'dana'",
    fails: true,
  },
];
