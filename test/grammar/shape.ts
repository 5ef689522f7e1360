/** Prints an expression with all its parentheses, so that a test can show how it was read. */
import type * as ast from "../../src/grammar/ast.js";
import { deparseExpression } from "../../src/grammar/deparse.js";

/** `a + b * c` is `(a + (b * c))`. */
export function shapeOf(expression: ast.Expression): string {
  switch (expression.kind) {
    case "BinaryOperator":
      return `(${shapeOf(expression.left)} ${expression.operator.name} ${shapeOf(expression.right)})`;
    case "UnaryOperator":
      return `(${expression.operator.name} ${shapeOf(expression.operand)})`;
    case "And":
    case "Or":
      return `(${expression.operands.map(shapeOf).join(` ${expression.kind} `)})`;
    case "Not":
      return `(not ${shapeOf(expression.operand)})`;
    case "IsTest":
      return `(${shapeOf(expression.operand)} is ${expression.negated ? "not " : ""}${expression.test})`;
    case "DistinctFrom":
      return `(${shapeOf(expression.left)} distinct ${shapeOf(expression.right)})`;
    case "Between":
      return `(${shapeOf(expression.operand)} between ${shapeOf(expression.lower)} and ${shapeOf(expression.upper)})`;
    case "InList":
      return `(${shapeOf(expression.operand)} in [${expression.items.map(shapeOf).join(", ")}])`;
    case "PatternMatch":
      return `(${shapeOf(expression.operand)} ${expression.operator} ${shapeOf(expression.pattern)})`;
    case "QuantifiedArray":
      return `(${shapeOf(expression.left)} ${expression.operator.name} ${expression.quantifier} ${shapeOf(expression.array)})`;
    case "Cast":
      return `(${shapeOf(expression.operand)} :: ${expression.type.name})`;
    case "Collate":
      return `(${shapeOf(expression.operand)} collate ${expression.collation.name})`;
    case "FunctionCall":
      return `${expression.name.name}(${expression.args.map((argument) => shapeOf(argument.value)).join(", ")})`;
    case "Subscript":
      return `(${shapeOf(expression.operand)} [ ${shapeOf(expression.index)})`;
    case "RowConstructor":
      return `row(${expression.fields.map(shapeOf).join(", ")})`;
    default:
      return deparseExpression(expression);
  }
}

/** A tree without its ranges, for comparing. */
export function withoutRanges(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value) => (key === "range" ? undefined : value)));
}
