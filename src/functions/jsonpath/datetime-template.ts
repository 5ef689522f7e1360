/** `.datetime("template")`: reads a text by a template of to_timestamp, and tells from the template which type it is. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { joinTimestamp, shiftSeconds } from "../../types/datetime/timestamp-value.js";
import { assemble } from "../formatting/datetime-assemble.js";
import { readByPattern } from "../formatting/datetime-from-text.js";
import { parsePattern } from "../formatting/datetime-pattern.js";
import { PathDatetime } from "./datetime.js";
import { PathFailure, pathFailure } from "./failure.js";

const zonePatterns = new Set(["TZ", "TZH", "TZM", "OF"]);
const timePatterns = new Set("A.M. P.M. AM PM HH HH12 HH24 MI SS MS US FF1 FF2 FF3 FF4 FF5 FF6 SSSS SSSSS".split(" "));
const separators = "-./,':; ";

/** @throws PathFailure 22007, 22008 when the text or the template is not right */
export function readTemplate(text: string, template: string): PathDatetime {
  // an empty template reads nothing, not even the end of the text
  if (template === "") throw neitherDatedNorTimed();
  try {
    checkSeparators(template);
    const { days, microseconds, offset } = assemble(readByPattern(text, template, true), text);
    const { dated, timed, zoned } = partsOf(template);
    if (dated && timed) {
      const local = joinTimestamp(days, microseconds);
      if (!zoned) return new PathDatetime("timestamp", local);
      if (offset === undefined) throw missingZone("timestamptz");
      return new PathDatetime("timestamptz", shiftSeconds(local, -offset), offset);
    }
    if (dated) {
      if (zoned) throw pathFailure(sqlstate.invalidDatetimeFormat, "datetime format is zoned but not timed");
      return new PathDatetime("date", days);
    }
    if (!timed) throw neitherDatedNorTimed();
    if (!zoned) return new PathDatetime("time", microseconds);
    if (offset === undefined) throw missingZone("timetz");
    return new PathDatetime("timetz", { microseconds, offsetSeconds: offset });
  } catch (error) {
    throw error instanceof SqlError ? new PathFailure(error) : error;
  }
}

function neitherDatedNorTimed(): PathFailure {
  return pathFailure(sqlstate.invalidDatetimeFormat, "datetime format is not dated and not timed");
}

function missingZone(type: string): PathFailure {
  return pathFailure(sqlstate.invalidDatetimeFormat, `missing time zone in input string for type ${type}`);
}

function partsOf(template: string): { dated: boolean; timed: boolean; zoned: boolean } {
  const parts = { dated: false, timed: false, zoned: false };
  for (const node of parsePattern(template)) {
    if (node.kind !== "field" || node.id === "FX") continue;
    if (zonePatterns.has(node.id)) parts.zoned = true;
    else if (timePatterns.has(node.id)) parts.timed = true;
    else parts.dated = true;
  }
  return parts;
}

/** Outside of quotes only some separators may stand between patterns. @throws SqlError 22007 */
function checkSeparators(template: string): void {
  const quoted = template.split('"');
  const unquoted = quoted.filter((_, i) => i % 2 === 0).join("");
  for (const node of parsePattern(unquoted)) {
    if (node.kind === "field" || separators.includes(node.text)) continue;
    throw new SqlError(sqlstate.invalidDatetimeFormat, `invalid datetime format separator: "${node.text}"`);
  }
}
