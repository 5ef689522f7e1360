/** Roman numerals. */

const steps: readonly (readonly [number, string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

/** Widest numeral below 4000: MMMDCCCLXXXVIII. */
export const romanWidth = 15;

/** The numeral of 1 to 3999, otherwise a row of `#`. */
export function romanNumeral(value: number): string {
  if (!(value >= 1 && value <= 3999)) return "#".repeat(romanWidth);
  let rest = value;
  let text = "";
  for (const [number, letters] of steps) {
    while (rest >= number) {
      text += letters;
      rest -= number;
    }
  }
  return text;
}
