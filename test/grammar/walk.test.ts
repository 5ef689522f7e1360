/** Walking trees: the order, and what is left out. */
import { expect, test } from "vitest";
import { parse } from "../../src/grammar/parse.js";
import { children, walk } from "../../src/grammar/walk.js";

const kindsOf = (sql: string, stop?: string) => {
  const kinds: string[] = [];
  walk(parse(sql)[0], (node) => {
    kinds.push(node.kind);
    return node.kind !== stop;
  });
  return kinds;
};

test("parents come before children, left before right", () => {
  expect(kindsOf("select a + 1 from t where b")).toEqual([
    "SelectStatement",
    "SelectCore",
    "SelectTarget",
    "BinaryOperator",
    "OperatorName",
    "ColumnRef",
    "NumericLiteral",
    "TableReference",
    "QualifiedName",
    "ColumnRef",
  ]);
});

test("false leaves out what is below", () => {
  expect(kindsOf("select a + 1", "BinaryOperator")).toEqual([
    "SelectStatement",
    "SelectCore",
    "SelectTarget",
    "BinaryOperator",
  ]);
});

test("rows of VALUES are children", () => {
  const [statement] = parse("values (1, 2), (3, 4)");
  const [body] = children(statement);
  expect(children(body)).toHaveLength(4);
});

test("a chain of 20,000 operators is walked", () => {
  const kinds = kindsOf(`select ${new Array(20_000).fill("a").join(" || ")}`);
  expect(kinds.filter((kind) => kind === "ColumnRef")).toHaveLength(20_000);
});
