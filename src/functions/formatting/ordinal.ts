/** English endings of ordinal numbers: 1st, 2nd, 3rd, 11th. */

/** The ending for a number's text, in upper or lower case. */
export function ordinalEnding(number: string, upper: boolean): string {
  const last = number[number.length - 1];
  const teen = number.length > 1 && number[number.length - 2] === "1";
  const ending = teen ? "th" : last === "1" ? "st" : last === "2" ? "nd" : last === "3" ? "rd" : "th";
  return upper ? ending.toUpperCase() : ending;
}
