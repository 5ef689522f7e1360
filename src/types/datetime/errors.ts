/** The errors of date and time values, in PostgreSQL's words. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";

/** Text that is no value of the type at all. */
export function invalidDateTime(type: string, text: string): SqlError {
  return new SqlError(sqlstate.invalidDatetimeFormat, `invalid input syntax for type ${type}: "${text}"`);
}

/** Text whose form is right and one of whose fields is not. */
export function fieldOutOfRange(text: string): SqlError {
  return new SqlError(sqlstate.datetimeFieldOverflow, `date/time field value out of range: "${text}"`);
}

/** A month or a day that may have been meant in another order. */
export function monthDayOutOfRange(text: string): SqlError {
  return new SqlError(sqlstate.datetimeFieldOverflow, `date/time field value out of range: "${text}"`, {
    hint: 'Perhaps you need a different "datestyle" setting.',
  });
}

/** An offset from UTC that no zone can have. */
export function zoneDisplacementOutOfRange(text: string): SqlError {
  return new SqlError(sqlstate.invalidTimeZoneDisplacement, `time zone displacement out of range: "${text}"`);
}

/** A number in an interval that its field cannot hold. */
export function intervalFieldOutOfRange(text: string): SqlError {
  return new SqlError(sqlstate.intervalFieldOverflow, `interval field value out of range: "${text}"`);
}

/** `what` is `date`, `timestamp` or `interval`; the text is shown when the value was read from one. */
export function outOfRange(what: string, text?: string): SqlError {
  return new SqlError(
    sqlstate.datetimeFieldOverflow,
    text === undefined ? `${what} out of range` : `${what} out of range: "${text}"`,
  );
}

/** A name that no time zone has. */
export function unknownTimeZone(name: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `time zone "${name}" not recognized`);
}

/** 0A000: a POSIX zone names its daylight saving time and leaves the rule to the server's own default. */
export function zoneWithoutRule(name: string): SqlError {
  return new SqlError(
    sqlstate.featureNotSupported,
    `time zone "${name}" with daylight saving time but without its rule is not supported`,
    { hint: "Name a zone such as 'America/New_York', or add the rule: 'EST5EDT,M3.2.0,M11.1.0'." },
  );
}

/** Dates reach further than timestamps. */
export function dateBeyondTimestamps(): SqlError {
  return new SqlError(sqlstate.datetimeFieldOverflow, "date out of range for timestamp");
}

/** Runs a conversion of a date, whose result may be no timestamp because of its time or zone. */
export function onlyTimestamps<T>(convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    if (error instanceof SqlError && error.code === sqlstate.datetimeFieldOverflow) throw dateBeyondTimestamps();
    throw error;
  }
}

/** The difference of infinite dates or timestamps has no value. `what` is `dates` or `timestamps`. */
export function infiniteDifference(what: string): SqlError {
  return new SqlError(sqlstate.datetimeFieldOverflow, `cannot subtract infinite ${what}`);
}
