/** What all sessions of a database share: its tables, its rules, and what it remembers of statements and calls. */

import type { ScratchpadBackend } from "../backends/backend.js";
import type { Catalog } from "../catalog/catalog.js";
import type { KeptAnswers } from "../resources/call-cache.js";
import type { CallLog } from "../resources/call-log.js";
import type { Scheduler } from "../resources/scheduler.js";
import type { Statistics } from "../resources/statistics.js";
import type { Audit } from "./audit/audit.js";
import type { Flows } from "./flow/flows.js";
import type { Ledger } from "./journal/ledger.js";
import type { DatabasePolicy } from "./policy/database-policy.js";
import type { StatementCache } from "./prepare.js";
import type { Limits, Policy } from "./types.js";

/** Made by `Database.create()`; only `closed` and `sessionCount` change later. */
export interface DatabaseCore {
  readonly catalog: Catalog;
  readonly policy: Policy;
  /** The policy's rules for tables and functions, and the catalog as statements see it by them. */
  readonly rules: DatabasePolicy;
  /** Where labelled values may go, and the labels that were written. */
  readonly flows: Flows;
  readonly limits: Required<Limits>;
  readonly now: () => Date;
  readonly statements: StatementCache;
  /** What calls say of the tables, for plans. */
  readonly statistics: Statistics;
  /** The calls made lately, by principal. */
  readonly calls: CallLog;
  /** Answers that outlive an `execute`. */
  readonly kept: KeptAnswers;
  readonly scheduler: Scheduler;
  /** Records every statement. */
  readonly audit: Audit;
  /** Knows what was sent, and what became of it. */
  readonly journal: Ledger;
  readonly backend?: ScratchpadBackend;
  /** Set by `Database.close()`: no session takes statements after it. */
  closed: boolean;
  /** Sessions opened so far: each takes its number from it. */
  sessionCount: number;
}
