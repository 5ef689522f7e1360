/**
 * Types that PostgreSQL 15 has and this program has not: refused by name rather than unknown.
 * Source: pg_type of PostgreSQL 15, all that are not the row type of a relation; the test asks a server for the list anew.
 */
const names: ReadonlySet<string> = new Set(
  `aclitem any anyarray anycompatible anycompatiblearray anycompatiblemultirange anycompatiblenonarray anycompatiblerange
  anyelement anyenum anymultirange anynonarray anyrange bit box cid cidr circle cstring datemultirange daterange
  event_trigger fdw_handler gtsvector index_am_handler inet int2vector int4multirange int4range int8multirange int8range
  internal language_handler line lseg macaddr macaddr8 money nummultirange numrange oidvector path pg_brin_bloom_summary
  pg_brin_minmax_multi_summary pg_ddl_command pg_dependencies pg_lsn pg_mcv_list pg_ndistinct pg_node_tree pg_snapshot
  point polygon refcursor regcollation regconfig regdictionary regnamespace regoper regoperator regprocedure regrole
  table_am_handler tid trigger tsm_handler tsmultirange tsquery tsrange tstzmultirange tstzrange tsvector txid_snapshot
  varbit xid xid8 xml`.split(/\s+/),
);

/** Whether a type of pg_catalog, or the array of one (`_point`), is only PostgreSQL's. */
export function isMissingType(name: string): boolean {
  return names.has(name) || (name.startsWith("_") && names.has(name.slice(1)));
}
