/** Operators and mathematical functions against recorded answers of a PostgreSQL 15 server. */
import { expect, test } from "vitest";
import { differences } from "../support/compare-answers.js";

/** Functions whose last digit is a matter of the mathematical library. */
const transcendental =
  "cbrt ||/ exp ln log log10 power ^ sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh degrees radians sind cosd tand cotd asind acosd atand atan2d".split(
    " ",
  );

test.each(["arithmetic", "math", "comparison"])("%s", (file) => {
  expect(differences(`functions/data/${file}.json`, { nearly: transcendental })).toEqual([]);
});
