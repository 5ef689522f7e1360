/**
 * Functions and operators that PostgreSQL 15 has and this library has not. They are refused by name, before anything is
 * called, so that a reader learns that the name is right and what to write instead.
 *
 * Source: the names in pg_proc of PostgreSQL 15 that `registry.ts` does not find, by what they belong to; without those
 * that no statement can call (arguments or results of type internal or cstring, …send, …recv, …support and selectivity
 * functions) and without names of types that we have, which are casts. The test asks a server for the list anew.
 */

import type { MissingFeature, Operator } from "./function.js";

interface Names {
  readonly feature: string;
  readonly hint?: string;
  readonly functions: string;
  /** Symbols that no operator of ours has. */
  readonly operators?: string;
}

const elsewhere = "docs/sql.md lists the functions that there are.";

const missing: readonly Names[] = [
  {
    feature: "bit strings",
    hint: "Use integers with & | # ~ << >>.",
    functions: `
      bit bitand bitcat bitcmp biteq bitge bitgt bitle bitlt bitne bitnot bitor bitshiftleft bitshiftright
      bitxor varbit varbitcmp varbiteq varbitge varbitgt varbitle varbitlt varbitne`,
  },
  {
    feature: "full-text search",
    hint: "Write text ILIKE '%word%' or text ~* 'pattern'.",
    operators: "!! @@@",
    functions: `
      array_to_tsvector get_current_ts_config json_to_tsvector jsonb_to_tsvector numnode phraseto_tsquery
      plainto_tsquery querytree setweight strip to_tsquery to_tsvector ts_debug ts_delete ts_filter ts_headline
      ts_lexize ts_match_qv ts_match_tq ts_match_tt ts_match_vq ts_parse ts_rank ts_rank_cd ts_rewrite ts_stat
      ts_token_type tsq_mcontained tsq_mcontains tsquery_and tsquery_cmp tsquery_eq tsquery_ge tsquery_gt
      tsquery_le tsquery_lt tsquery_ne tsquery_not tsquery_or tsquery_phrase tsvector_cmp tsvector_concat
      tsvector_eq tsvector_ge tsvector_gt tsvector_le tsvector_lt tsvector_ne tsvector_to_array
      websearch_to_tsquery`,
  },
  {
    feature: "geometric types",
    hint: "Keep coordinates in columns of type double precision.",
    operators: "## &<| <-> <<| <^ >^ ?# ?- ?-| ?|| @-@ |&> |>> ~=",
    functions: `
      area bound_box box box_above box_above_eq box_add box_below box_below_eq box_center box_contain
      box_contain_pt box_contained box_distance box_div box_eq box_ge box_gt box_intersect box_le box_left
      box_lt box_mul box_overabove box_overbelow box_overlap box_overleft box_overright box_right box_same
      box_sub center circle circle_above circle_add_pt circle_below circle_center circle_contain
      circle_contain_pt circle_contained circle_distance circle_div_pt circle_eq circle_ge circle_gt circle_le
      circle_left circle_lt circle_mul_pt circle_ne circle_overabove circle_overbelow circle_overlap
      circle_overleft circle_overright circle_right circle_same circle_sub_pt close_ls close_lseg close_pb
      close_pl close_ps close_sb diagonal diameter dist_bp dist_bs dist_cpoint dist_cpoly dist_lp dist_ls
      dist_pathp dist_pb dist_pc dist_pl dist_polyc dist_polyp dist_ppath dist_ppoly dist_ps dist_sb dist_sl
      dist_sp height inter_lb inter_sb inter_sl isclosed ishorizontal isopen isparallel isperp isvertical line
      line_distance line_eq line_horizontal line_interpt line_intersect line_parallel line_perp line_vertical
      lseg lseg_center lseg_distance lseg_eq lseg_ge lseg_gt lseg_horizontal lseg_interpt lseg_intersect lseg_le
      lseg_length lseg_lt lseg_ne lseg_parallel lseg_perp lseg_vertical npoints on_pb on_pl on_ppath on_ps on_sb
      on_sl path path_add path_add_pt path_contain_pt path_distance path_div_pt path_inter path_length
      path_mul_pt path_n_eq path_n_ge path_n_gt path_n_le path_n_lt path_npoints path_sub_pt pclose point
      point_above point_add point_below point_distance point_div point_eq point_horiz point_left point_mul
      point_ne point_right point_sub point_vert poly_above poly_below poly_center poly_contain poly_contain_pt
      poly_contained poly_distance poly_left poly_npoints poly_overabove poly_overbelow poly_overlap
      poly_overleft poly_overright poly_right poly_same polygon popen pt_contained_circle pt_contained_poly
      radius slope spg_poly_quad_compress width`,
  },
  {
    feature: "hash functions",
    hint: "Use md5(text) or sha256(bytea).",
    functions: `
      hash_aclitem hash_aclitem_extended hash_array hash_array_extended hash_numeric hash_numeric_extended
      hash_record hash_record_extended hashbpchar hashbpcharextended hashchar hashcharextended hashenum
      hashenumextended hashfloat4 hashfloat4extended hashfloat8 hashfloat8extended hashint2 hashint2extended
      hashint4 hashint4extended hashint8 hashint8extended hashname hashnameextended hashoid hashoidextended
      hashoidvector hashoidvectorextended hashtext hashtextextended hashtid hashtidextended interval_hash
      interval_hash_extended jsonb_hash jsonb_hash_extended pg_lsn_hash pg_lsn_hash_extended
      satisfies_hash_partition time_hash time_hash_extended timestamp_hash timestamp_hash_extended timetz_hash
      timetz_hash_extended uuid_hash uuid_hash_extended`,
  },
  {
    feature: "large objects",
    hint: "Use bytea.",
    functions: `
      lo_close lo_creat lo_create lo_export lo_from_bytea lo_get lo_import lo_lseek lo_lseek64 lo_open lo_put
      lo_tell lo_tell64 lo_truncate lo_truncate64 lo_unlink loread lowrite`,
  },
  {
    feature: "locks",
    functions: `
      pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all
      pg_advisory_unlock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_try_advisory_lock
      pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared`,
  },
  {
    feature: "money",
    hint: "Use numeric.",
    functions: `
      cash_cmp cash_div_cash cash_div_flt4 cash_div_flt8 cash_div_int2 cash_div_int4 cash_div_int8 cash_eq
      cash_ge cash_gt cash_le cash_lt cash_mi cash_mul_flt4 cash_mul_flt8 cash_mul_int2 cash_mul_int4
      cash_mul_int8 cash_ne cash_pl cash_words cashlarger cashsmaller flt4_mul_cash flt8_mul_cash int2_mul_cash
      int4_mul_cash int8_mul_cash money`,
  },
  {
    feature: "network types",
    hint: "Keep addresses in columns of type text.",
    operators: "<<= >>=",
    functions: `
      abbrev broadcast cidr family hashinet hashinetextended hashmacaddr hashmacaddr8 hashmacaddr8extended
      hashmacaddrextended host hostmask inet_client_addr inet_merge inet_same_family inet_server_addr inetand
      inetmi inetmi_int8 inetnot inetor inetpl int8pl_inet macaddr macaddr8 macaddr8_and macaddr8_cmp
      macaddr8_eq macaddr8_ge macaddr8_gt macaddr8_le macaddr8_lt macaddr8_ne macaddr8_not macaddr8_or
      macaddr8_set7bit macaddr_and macaddr_cmp macaddr_eq macaddr_ge macaddr_gt macaddr_le macaddr_lt macaddr_ne
      macaddr_not macaddr_or masklen netmask network network_cmp network_eq network_ge network_gt network_larger
      network_le network_lt network_ne network_overlap network_smaller network_sub network_subeq network_sup
      network_supeq set_masklen`,
  },
  {
    feature: "object descriptions",
    hint: "information_schema.tables and information_schema.columns have a column description.",
    functions: `
      col_description obj_description shobj_description`,
  },
  {
    feature: "privileges",
    hint: "information_schema.tables tells which tables can be read and written.",
    functions: `
      has_any_column_privilege has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege
      has_function_privilege has_language_privilege has_parameter_privilege has_schema_privilege
      has_sequence_privilege has_server_privilege has_table_privilege has_tablespace_privilege
      has_type_privilege pg_has_role row_security_active`,
  },
  {
    feature: "range types",
    hint: "Keep both ends in columns of their own: first <= value AND value < last.",
    operators: "&< &> -|-",
    functions: `
      datemultirange daterange daterange_canonical daterange_subdiff elem_contained_by_multirange
      elem_contained_by_range hash_multirange hash_multirange_extended hash_range hash_range_extended
      int4multirange int4range int4range_canonical int4range_subdiff int8multirange int8range
      int8range_canonical int8range_subdiff isempty lower_inc lower_inf multirange
      multirange_adjacent_multirange multirange_adjacent_range multirange_after_multirange
      multirange_after_range multirange_before_multirange multirange_before_range multirange_cmp
      multirange_contained_by_multirange multirange_contained_by_range multirange_contains_elem
      multirange_contains_multirange multirange_contains_range multirange_eq multirange_ge multirange_gt
      multirange_intersect multirange_intersect_agg_transfn multirange_le multirange_lt multirange_minus
      multirange_ne multirange_overlaps_multirange multirange_overlaps_range multirange_overleft_multirange
      multirange_overleft_range multirange_overright_multirange multirange_overright_range multirange_union
      nummultirange numrange numrange_subdiff range_adjacent range_adjacent_multirange range_after
      range_after_multirange range_agg range_before range_before_multirange range_cmp range_contained_by
      range_contained_by_multirange range_contains range_contains_elem range_contains_multirange range_eq
      range_ge range_gt range_intersect range_intersect_agg range_intersect_agg_transfn range_le range_lt
      range_merge range_minus range_ne range_overlaps range_overlaps_multirange range_overleft
      range_overleft_multirange range_overright range_overright_multirange range_union tsmultirange tsrange
      tsrange_subdiff tstzmultirange tstzrange tstzrange_subdiff upper_inc upper_inf`,
  },
  {
    feature: "replication",
    functions: `
      numeric_pl_pg_lsn pg_copy_logical_replication_slot pg_copy_physical_replication_slot
      pg_create_logical_replication_slot pg_create_physical_replication_slot pg_current_wal_flush_lsn
      pg_current_wal_insert_lsn pg_current_wal_lsn pg_drop_replication_slot pg_is_wal_replay_paused
      pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_logical_emit_message pg_logical_slot_get_binary_changes
      pg_logical_slot_get_changes pg_logical_slot_peek_binary_changes pg_logical_slot_peek_changes
      pg_ls_logicalmapdir pg_ls_logicalsnapdir pg_ls_waldir pg_lsn pg_lsn_cmp pg_lsn_eq pg_lsn_ge pg_lsn_gt
      pg_lsn_larger pg_lsn_le pg_lsn_lt pg_lsn_mi pg_lsn_mii pg_lsn_ne pg_lsn_pli pg_lsn_smaller
      pg_replication_origin_advance pg_replication_origin_create pg_replication_origin_drop
      pg_replication_origin_oid pg_replication_origin_progress pg_replication_origin_session_is_setup
      pg_replication_origin_session_progress pg_replication_origin_session_reset
      pg_replication_origin_session_setup pg_replication_slot_advance pg_show_replication_origin_status
      pg_switch_wal pg_wal_lsn_diff pg_wal_replay_pause pg_wal_replay_resume pg_walfile_name
      pg_walfile_name_offset`,
  },
  {
    feature: "server administration",
    functions: `
      aclcontains acldefault aclexplode aclinsert aclitemeq aclremove amvalidate brin_desummarize_range
      brin_summarize_new_values brin_summarize_range current_query currtid2 fmgr_c_validator
      fmgr_internal_validator fmgr_sql_validator getpgusername gin_clean_pending_list gin_compare_jsonb
      inet_client_port inet_server_port makeaclitem nameconcatoid pg_available_extension_versions
      pg_available_extensions pg_backend_pid pg_backup_start pg_backup_stop pg_blocking_pids pg_cancel_backend
      pg_char_to_encoding pg_collation_actual_version pg_collation_for pg_column_compression
      pg_column_is_updatable pg_conf_load_time pg_config pg_control_checkpoint pg_control_init
      pg_control_recovery pg_control_system pg_create_restore_point pg_current_logfile pg_cursor
      pg_database_collation_actual_version pg_describe_object pg_encoding_max_length pg_encoding_to_char
      pg_event_trigger_ddl_commands pg_event_trigger_dropped_objects pg_event_trigger_table_rewrite_oid
      pg_event_trigger_table_rewrite_reason pg_extension_config_dump pg_extension_update_paths
      pg_filenode_relation pg_hba_file_rules pg_ident_file_mappings pg_identify_object
      pg_identify_object_as_address pg_import_system_collations pg_index_column_has_property
      pg_index_has_property pg_indexam_has_property pg_indexam_progress_phasename pg_is_other_temp_schema
      pg_isolation_test_session_is_blocked pg_jit_available pg_listening_channels pg_lock_status
      pg_log_backend_memory_contexts pg_ls_archive_statusdir pg_ls_dir pg_ls_logdir pg_ls_replslotdir
      pg_ls_tmpdir pg_mcv_list_items pg_my_temp_schema pg_nextoid pg_notification_queue_usage pg_notify
      pg_options_to_table pg_partition_ancestors pg_partition_root pg_partition_tree pg_postmaster_start_time
      pg_prepared_statement pg_promote pg_read_binary_file pg_read_file pg_read_file_old pg_relation_filenode
      pg_relation_filepath pg_relation_is_publishable pg_relation_is_updatable pg_reload_conf pg_rotate_logfile
      pg_rotate_logfile_old pg_sequence_last_value pg_sequence_parameters pg_stop_making_pinned_objects
      pg_tablespace_databases pg_tablespace_location pg_terminate_backend pg_trigger_depth plpgsql_validator
      postgresql_fdw_validator`,
  },
  {
    feature: "server statistics",
    functions: `
      pg_stat_clear_snapshot pg_stat_file pg_stat_force_next_flush pg_stat_get_activity
      pg_stat_get_analyze_count pg_stat_get_archiver pg_stat_get_autoanalyze_count pg_stat_get_autovacuum_count
      pg_stat_get_backend_activity pg_stat_get_backend_activity_start pg_stat_get_backend_client_addr
      pg_stat_get_backend_client_port pg_stat_get_backend_dbid pg_stat_get_backend_idset pg_stat_get_backend_pid
      pg_stat_get_backend_start pg_stat_get_backend_userid pg_stat_get_backend_wait_event
      pg_stat_get_backend_wait_event_type pg_stat_get_bgwriter_buf_written_checkpoints
      pg_stat_get_bgwriter_buf_written_clean pg_stat_get_bgwriter_maxwritten_clean
      pg_stat_get_bgwriter_requested_checkpoints pg_stat_get_bgwriter_stat_reset_time
      pg_stat_get_bgwriter_timed_checkpoints pg_stat_get_blocks_fetched pg_stat_get_blocks_hit
      pg_stat_get_buf_alloc pg_stat_get_buf_fsync_backend pg_stat_get_buf_written_backend
      pg_stat_get_checkpoint_sync_time pg_stat_get_checkpoint_write_time pg_stat_get_db_active_time
      pg_stat_get_db_blk_read_time pg_stat_get_db_blk_write_time pg_stat_get_db_blocks_fetched
      pg_stat_get_db_blocks_hit pg_stat_get_db_checksum_failures pg_stat_get_db_checksum_last_failure
      pg_stat_get_db_conflict_all pg_stat_get_db_conflict_bufferpin pg_stat_get_db_conflict_lock
      pg_stat_get_db_conflict_snapshot pg_stat_get_db_conflict_startup_deadlock
      pg_stat_get_db_conflict_tablespace pg_stat_get_db_deadlocks pg_stat_get_db_idle_in_transaction_time
      pg_stat_get_db_numbackends pg_stat_get_db_session_time pg_stat_get_db_sessions
      pg_stat_get_db_sessions_abandoned pg_stat_get_db_sessions_fatal pg_stat_get_db_sessions_killed
      pg_stat_get_db_stat_reset_time pg_stat_get_db_temp_bytes pg_stat_get_db_temp_files
      pg_stat_get_db_tuples_deleted pg_stat_get_db_tuples_fetched pg_stat_get_db_tuples_inserted
      pg_stat_get_db_tuples_returned pg_stat_get_db_tuples_updated pg_stat_get_dead_tuples
      pg_stat_get_function_calls pg_stat_get_function_self_time pg_stat_get_function_total_time
      pg_stat_get_ins_since_vacuum pg_stat_get_last_analyze_time pg_stat_get_last_autoanalyze_time
      pg_stat_get_last_autovacuum_time pg_stat_get_last_vacuum_time pg_stat_get_live_tuples
      pg_stat_get_mod_since_analyze pg_stat_get_numscans pg_stat_get_progress_info pg_stat_get_recovery_prefetch
      pg_stat_get_replication_slot pg_stat_get_slru pg_stat_get_snapshot_timestamp pg_stat_get_subscription
      pg_stat_get_subscription_stats pg_stat_get_tuples_deleted pg_stat_get_tuples_fetched
      pg_stat_get_tuples_hot_updated pg_stat_get_tuples_inserted pg_stat_get_tuples_returned
      pg_stat_get_tuples_updated pg_stat_get_vacuum_count pg_stat_get_wal pg_stat_get_wal_receiver
      pg_stat_get_wal_senders pg_stat_have_stats pg_stat_reset pg_stat_reset_replication_slot
      pg_stat_reset_shared pg_stat_reset_single_function_counters pg_stat_reset_single_table_counters
      pg_stat_reset_slru pg_stat_reset_subscription_stats`,
  },
  {
    feature: "settings",
    hint: "Settings of the session are changed with SET name = value.",
    functions: `
      pg_settings_get_flags pg_show_all_file_settings pg_show_all_settings set_config`,
  },
  {
    feature: "sizes",
    hint: "octet_length(value::text) counts the bytes of a value's text.",
    functions: `
      pg_column_size pg_database_size pg_indexes_size pg_relation_size pg_size_bytes pg_size_pretty
      pg_table_size pg_tablespace_size pg_total_relation_size`,
  },
  {
    feature: "support functions",
    hint: "Use the operators and aggregates that it stands behind.",
    operators: "*< *<= *<> *= *> *>=",
    functions: `
      array_larger array_smaller booland_statefunc boolor_statefunc bpchar_larger bpchar_smaller bpcharcmp
      btarraycmp btboolcmp btbpchar_pattern_cmp btcharcmp btequalimage btfloat48cmp btfloat4cmp btfloat84cmp
      btfloat8cmp btint24cmp btint28cmp btint2cmp btint42cmp btint48cmp btint4cmp btint82cmp btint84cmp
      btint8cmp btnamecmp btnametextcmp btoidcmp btoidvectorcmp btrecordcmp btrecordimagecmp bttext_pattern_cmp
      bttextcmp bttextnamecmp bttidcmp btvarstrequalimage byteacmp cideq date_cmp date_cmp_timestamp
      date_cmp_timestamptz date_larger date_smaller dlog1 dlog10 dround dtrunc enum_cmp enum_larger enum_smaller
      float4_accum float4larger float4smaller float8_accum float8_avg float8_combine float8_corr
      float8_covar_pop float8_covar_samp float8_regr_accum float8_regr_avgx float8_regr_avgy float8_regr_combine
      float8_regr_intercept float8_regr_r2 float8_regr_slope float8_regr_sxx float8_regr_sxy float8_regr_syy
      float8_stddev_pop float8_stddev_samp float8_var_pop float8_var_samp float8larger float8smaller
      gin_cmp_tslexeme in_range int2_avg_accum int2_avg_accum_inv int2_sum int2int4_sum int2larger int2smaller
      int4_avg_accum int4_avg_accum_inv int4_avg_combine int4_sum int4inc int4larger int4smaller int8_avg
      int8_sum int8dec int8dec_any int8inc int8inc_any int8inc_float8_float8 int8larger int8smaller
      interval_accum interval_accum_inv interval_avg interval_cmp interval_combine interval_larger
      interval_smaller jsonb_cmp numeric_cmp numeric_div_trunc numeric_exp numeric_inc numeric_larger numeric_ln
      numeric_log numeric_smaller numeric_sqrt oidlarger oidsmaller oidvectoreq oidvectorge oidvectorgt
      oidvectorle oidvectorlt oidvectorne oidvectortypes record_image_eq record_image_ge record_image_gt
      record_image_le record_image_lt record_image_ne text_larger text_smaller tideq tidge tidgt tidlarger tidle
      tidlt tidne tidsmaller time_cmp time_larger time_smaller timestamp_cmp timestamp_cmp_date
      timestamp_cmp_timestamptz timestamp_larger timestamp_smaller timestamptz_cmp timestamptz_cmp_date
      timestamptz_cmp_timestamp timestamptz_larger timestamptz_smaller timetz_cmp timetz_larger timetz_smaller
      uuid_cmp`,
  },
  {
    feature: "the system catalogue",
    hint: "information_schema.tables and information_schema.columns describe what there is.",
    functions: `
      pg_collation_is_visible pg_conversion_is_visible pg_function_is_visible pg_get_backend_memory_contexts
      pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_function_arg_default pg_get_function_arguments
      pg_get_function_identity_arguments pg_get_function_result pg_get_function_sqlbody pg_get_functiondef
      pg_get_indexdef pg_get_keywords pg_get_multixact_members pg_get_object_address
      pg_get_partition_constraintdef pg_get_partkeydef pg_get_replica_identity_index pg_get_replication_slots
      pg_get_ruledef pg_get_serial_sequence pg_get_shmem_allocations pg_get_statisticsobjdef
      pg_get_statisticsobjdef_columns pg_get_statisticsobjdef_expressions pg_get_triggerdef pg_get_userbyid
      pg_get_viewdef pg_get_wal_replay_pause_state pg_get_wal_resource_managers pg_opclass_is_visible
      pg_operator_is_visible pg_opfamily_is_visible pg_statistics_obj_is_visible pg_table_is_visible
      pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible
      pg_type_is_visible to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc
      to_regprocedure to_regrole`,
  },
  {
    feature: "time zone lists",
    hint: "Zones are named as in the time zone database: now() AT TIME ZONE 'Europe/Berlin'.",
    functions: `
      pg_timezone_abbrevs pg_timezone_names`,
  },
  {
    feature: "transaction ids",
    functions: `
      mxid_age pg_current_snapshot pg_current_xact_id pg_current_xact_id_if_assigned pg_export_snapshot
      pg_last_committed_xact pg_last_xact_replay_timestamp pg_prepared_xact pg_replication_origin_xact_reset
      pg_replication_origin_xact_setup pg_safe_snapshot_blocking_pids pg_snapshot_xip pg_snapshot_xmax
      pg_snapshot_xmin pg_stat_get_backend_xact_start pg_stat_get_db_xact_commit pg_stat_get_db_xact_rollback
      pg_stat_get_xact_blocks_fetched pg_stat_get_xact_blocks_hit pg_stat_get_xact_function_calls
      pg_stat_get_xact_function_self_time pg_stat_get_xact_function_total_time pg_stat_get_xact_numscans
      pg_stat_get_xact_tuples_deleted pg_stat_get_xact_tuples_fetched pg_stat_get_xact_tuples_hot_updated
      pg_stat_get_xact_tuples_inserted pg_stat_get_xact_tuples_returned pg_stat_get_xact_tuples_updated
      pg_visible_in_snapshot pg_xact_commit_timestamp pg_xact_commit_timestamp_origin pg_xact_status
      txid_current txid_current_if_assigned txid_current_snapshot txid_snapshot_xip txid_snapshot_xmax
      txid_snapshot_xmin txid_status txid_visible_in_snapshot xid xid8_larger xid8_smaller xid8cmp xid8eq xid8ge
      xid8gt xid8le xid8lt xid8ne xideq xideqint4 xidneq xidneqint4`,
  },
  {
    feature: "waiting",
    functions: `
      pg_sleep pg_sleep_for pg_sleep_until`,
  },
  {
    feature: "XML",
    hint: "Use jsonb for a structure.",
    functions: `
      cursor_to_xml cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema database_to_xmlschema
      query_to_xml query_to_xml_and_xmlschema query_to_xmlschema schema_to_xml schema_to_xml_and_xmlschema
      schema_to_xmlschema table_to_xml table_to_xml_and_xmlschema table_to_xmlschema xml xml_is_well_formed
      xml_is_well_formed_content xml_is_well_formed_document xmlagg xmlcomment xmlconcat2 xmlexists xmlvalidate
      xpath xpath_exists`,
  },
];

const textSearch: MissingFeature = {
  feature: "full-text search",
  hint: "Write text ILIKE '%word%' or text ~* 'pattern'.",
};

/**
 * An operator over types that we have: two literals mean it rather than the one of jsonb, `'1' @@ '$ == 1'`, so it has to
 * be a candidate. Row images (`*=`) are found by their symbol, which no other operator has.
 */
export const missingOperators: readonly Operator[] = [
  {
    kind: "operator",
    name: "@@",
    left: "text",
    right: "text",
    returns: "bool",
    volatility: "stable",
    missing: textSearch,
  },
];

/**
 * Symbols that two literals without a type leave open in PostgreSQL, because operators over types which this library has
 * not (lines, boxes, ranges, text search) are as good as any: `'{"a":1}' ?| '{a}'` may be about jsonb or about points.
 * Source: PostgreSQL 15, pg_operator, asked for every symbol.
 */
const openForLiterals = {
  infix: new Set("## && &< &<| &> -|- <-> <<| <^ >^ ?# ?-| ?| ?|| @@@ |&> |>> ~=".split(" ")),
  prefix: new Set("# ?- ?| @-@ @@".split(" ")),
} as const;

/** Whether a symbol with nothing but untyped literals is not unique in PostgreSQL (42725). */
export function isOpenForLiterals(symbol: string, form: "infix" | "prefix"): boolean {
  return openForLiterals[form].has(symbol);
}

/** Calls with two and more arguments that PostgreSQL has of names we know: by name, what they belong to. */
const missingOverloads: ReadonlyMap<string, MissingFeature> = new Map(
  ["bpchar", "interval", "numeric", "time", "timestamp", "timestamptz", "timetz", "varchar"].map((name) => [
    name,
    { feature: "length coercion", hint: `Write a cast: value::${name}(…).` },
  ]),
).set("like_escape", { feature: "patterns over bytea", hint: "Write value LIKE pattern, with \\ as the escape." });

let byFunction: Map<string, MissingFeature> | undefined;
let byOperator: Map<string, MissingFeature> | undefined;

/**
 * What a function belongs to that PostgreSQL has and this library has not; `undefined` for a name that neither has.
 * @param arity number of arguments in the call
 */
export function missingFunction(name: string, arity: number): MissingFeature | undefined {
  byFunction ??= index((entry) => entry.functions);
  return byFunction.get(name) ?? (arity > 1 ? missingOverloads.get(name) : undefined);
}

/** The same for the symbol of an operator. */
export function missingOperator(symbol: string): MissingFeature | undefined {
  byOperator ??= index((entry) => entry.operators ?? "");
  return byOperator.get(symbol);
}

function index(namesOf: (entry: Names) => string): Map<string, MissingFeature> {
  const found = new Map<string, MissingFeature>();
  for (const entry of missing) {
    for (const name of namesOf(entry).split(/\s+/)) {
      if (name !== "") found.set(name, { feature: entry.feature, hint: entry.hint ?? elsewhere });
    }
  }
  return found;
}
