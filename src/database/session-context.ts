/** The clock, the user and the settings that functions of a statement ask for. */

import { databaseName } from "../catalog/information-schema.js";
import { ByteReserve } from "../functions/byte-reserve.js";
import type { SessionContext } from "../functions/function.js";

export interface ClockSettings {
  /** The present moment; injected by tests. */
  readonly now: () => Date;
  readonly actor?: string;
  readonly timeZone?: string;
  /** Bytes that the statement may hold. */
  readonly maxBytes: number;
  /** Start of the transaction in microseconds; the statement's own start outside one. */
  readonly transactionMicroseconds?: number;
}

const settings: Readonly<Record<string, string>> = {
  timezone: "UTC",
  datestyle: "ISO, MDY",
  intervalstyle: "postgres",
  server_version: "15.0",
  server_version_num: "150000",
  server_encoding: "UTF8",
  client_encoding: "UTF8",
  search_path: "public",
  extra_float_digits: "1",
  standard_conforming_strings: "on",
};

/** A context for one statement. `now()` stands still in it. */
export function createSessionContext(clock: ClockSettings): SessionContext {
  const reserve = new ByteReserve(clock.maxBytes);
  const started = clock.now().getTime() * 1000;
  return {
    timeZone: clock.timeZone ?? "UTC",
    nowMicroseconds: clock.transactionMicroseconds ?? started,
    statementMicroseconds: started,
    clockMicroseconds: () => clock.now().getTime() * 1000,
    user: clock.actor ?? "scratchpad",
    ...(clock.actor !== undefined && { actor: clock.actor }),
    database: databaseName,
    random: Math.random,
    setting: (name) => (Object.hasOwn(settings, name.toLowerCase()) ? settings[name.toLowerCase()] : undefined),
    reserveBytes: (bytes) => reserve.take(bytes),
  };
}
