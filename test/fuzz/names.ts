/** Names of tables and columns, plain and odd, and how they are quoted. */
import type { ColumnType } from "./world.js";

const reserved = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create current_date
  current_role current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for
  foreign from grant group having in initially intersect into lateral leading limit localtime localtimestamp not null offset on
  only or order placing primary references returning select session_user some symmetric table then to trailing true union unique
  user using variadic when where window with authorization binary collation concurrently cross current_schema freeze full ilike
  inner is isnull join left like natural notnull outer overlaps right similar tablesample verbose`.split(/\s+/),
);

export function ident(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export const tableNames = [
  ..."users orders products events tickets messages accounts projects".split(" "),
  ..."employees payments issues reviews invoices tasks sessions items".split(" "),
];
export const oddTableNames = ["order", "Mixed Case", "naïve", "user", "select_", "t1"];

const words = (text: string): string[] => text.split(" ");

export const columnNames: Readonly<Record<ColumnType, readonly string[]>> = {
  int: words("qty age score priority year level position rating stock rank value duration"),
  bigint: words("views bytes total big_id counter size"),
  numeric: words("price amount balance cost salary discount tax"),
  float: words("ratio weight lat lng temperature percent"),
  bool: words("active is_admin done verified archived paid"),
  text: words("name title status email city type category key label code description country assignee note"),
  date: words("due_date birthday day start_date end_date date"),
  tstz: words("created_at updated_at closed_at ts last_seen timestamp"),
  jsonb: words("data meta payload attrs settings"),
  "text[]": words("tags labels roles emails"),
  interval: words("elapsed timeout lead_time"),
  uuid: words("uid ext_id request_id"),
  enum: words("state severity stage kind"),
};
export const oddColumnNames = ["Order", "camelCase", "with space", "group", "ключ", 'a"b', "end", "user"];
