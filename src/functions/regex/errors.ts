/** Errors of regular expressions, in PostgreSQL's words. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";

/** What can be wrong with a pattern. */
export const regexFault = {
  collatingElement: "invalid collating element",
  characterClass: "invalid character class",
  escape: "invalid escape \\ sequence",
  backReference: "invalid backreference number",
  brackets: "brackets [] not balanced",
  parentheses: "parentheses () not balanced",
  braces: "braces {} not balanced",
  repetition: "invalid repetition count(s)",
  range: "invalid character range",
  quantifier: "quantifier operand invalid",
  option: "invalid embedded option",
  complexity: "regular expression is too complex",
} as const;

const hints: Partial<Record<string, string>> = {
  [regexFault.quantifier]:
    "A quantifier (*, +, ?, {m,n}) needs something to repeat; to match the character itself write \\*, \\+, \\?.",
  [regexFault.parentheses]: "To match a parenthesis itself write \\( or \\).",
  [regexFault.brackets]: "To match a bracket itself write \\[.",
  [regexFault.escape]: "To match a backslash itself write \\\\.",
};

/** 2201B `invalid regular expression: …` */
export function invalidRegex(fault: string): SqlError {
  return new SqlError(sqlstate.invalidRegularExpression, `invalid regular expression: ${fault}`, {
    hint: hints[fault],
  });
}

/** 0A000 for what PostgreSQL's patterns can say and a linear-time engine cannot. */
export function unsupportedRegex(feature: string, hint: string): SqlError {
  return new SqlError(sqlstate.featureNotSupported, `regular expression ${feature} are not supported`, { hint });
}
