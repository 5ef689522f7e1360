/**
 * Expressions as SQL. Parentheses stand where PostgreSQL's precedence needs them, and in a few places more for safety.
 * The levels are those of the parser; chains of operators are printed in a loop, as they can be thousands long.
 */
import type * as ast from "../ast.js";
import { level } from "../precedence.js";
import { nameList, qualifiedName, quoteName, quoteString, typeName } from "./names.js";

const signLevels: ReadonlyMap<string, number> = new Map([
  ...["<", ">", "=", "<=", ">=", "<>"].map((sign) => [sign, level.comparison] as const),
  ...["+", "-"].map((sign) => [sign, level.additive] as const),
  ...["*", "/", "%"].map((sign) => [sign, level.multiplicative] as const),
  ["^", level.power],
]);

function operatorLevel(operator: ast.OperatorName): number {
  return operator.schema === undefined ? (signLevels.get(operator.name) ?? level.operator) : level.operator;
}

/** How tightly an expression holds together when it is printed. */
function levelOf(expression: ast.Expression): number {
  switch (expression.kind) {
    case "Or":
      return level.or;
    case "And":
      return level.and;
    case "Not":
      return level.not;
    case "IsTest":
    case "DistinctFrom":
      return level.is;
    case "Between":
    case "InList":
    case "InSubquery":
    case "PatternMatch":
      return level.predicate;
    case "BinaryOperator":
    case "QuantifiedArray":
    case "QuantifiedSubquery":
      return operatorLevel(expression.operator);
    case "UnaryOperator":
      return isSign(expression.operator) ? level.sign : level.operator;
    case "NumericLiteral":
      return expression.text.startsWith("-") ? level.sign : level.atom;
    case "Collate":
      return level.collate;
    case "Cast":
      return level.cast;
    default:
      return level.atom;
  }
}

function isSign(operator: ast.OperatorName): boolean {
  return operator.schema === undefined && (operator.name === "+" || operator.name === "-");
}

function operatorText(operator: ast.OperatorName): string {
  return operator.schema === undefined ? operator.name : `OPERATOR(${quoteName(operator.schema)}.${operator.name})`;
}

/** Prints expressions; queries inside them are left to the class above. */
export abstract class ExpressionPrinter {
  abstract query(query: ast.SelectStatement): string;

  /** An expression that may stand alone. */
  expression(expression: ast.Expression): string {
    return this.operand(expression, 0);
  }

  /** An expression as an operand of something that holds together at `min`. */
  protected operand(expression: ast.Expression, min: number): string {
    const text = this.bare(expression);
    return levelOf(expression) < min ? `(${text})` : text;
  }

  /** An expression where logic and predicates may not stand unprotected: a lower bound, a column's default. */
  protected restricted(expression: ast.Expression): string {
    return this.operand(expression, level.sign);
  }

  protected list(expressions: readonly ast.Expression[]): string {
    return expressions.map((expression) => this.expression(expression)).join(", ");
  }

  protected type(type: ast.TypeName): string {
    return typeName(type, (expression) => this.expression(expression));
  }

  private bare(expression: ast.Expression): string {
    switch (expression.kind) {
      case "NumericLiteral":
        return expression.text;
      case "StringLiteral":
        return quoteString(expression.value);
      case "BitStringLiteral":
        return `${expression.base === "binary" ? "B" : "X"}${quoteString(expression.digits)}`;
      case "BooleanLiteral":
        return expression.value ? "true" : "false";
      case "NullLiteral":
        return "NULL";
      case "DefaultValue":
        return "DEFAULT";
      case "Parameter":
        return `$${expression.number}`;
      case "ColumnRef":
        return [...expression.parts.map(quoteName), ...(expression.star ? ["*"] : [])].join(".");
      case "FieldSelection":
        return `${this.base(expression.operand, false)}.${quoteName(expression.field.name)}`;
      case "FieldStar":
        return `${this.base(expression.operand, false)}.*`;
      case "Subscript":
        return `${this.base(expression.operand, true)}[${this.expression(expression.index)}]`;
      case "Slice":
        return `${this.base(expression.operand, true)}[${this.optional(expression.lower)}:${this.optional(expression.upper)}]`;
      case "FunctionCall":
        return this.call(expression);
      case "SqlValueFunction":
        return expression.name.toUpperCase() + (expression.precision === undefined ? "" : `(${expression.precision})`);
      case "BinaryOperator":
        return this.chain(expression);
      case "UnaryOperator":
        return this.prefix(expression);
      case "And":
        return expression.operands.map((operand) => this.operand(operand, level.and + 1)).join(" AND ");
      case "Or":
        return expression.operands.map((operand) => this.operand(operand, level.or + 1)).join(" OR ");
      case "Not":
        return `NOT ${this.operand(expression.operand, level.not)}`;
      default:
        return this.predicate(expression);
    }
  }

  private predicate(expression: ast.Expression): string {
    switch (expression.kind) {
      case "IsTest":
        return `${this.operand(expression.operand, level.is + 1)} IS ${not(expression)}${expression.test.toUpperCase()}`;
      case "DistinctFrom": {
        const left = this.operand(expression.left, level.is + 1);
        return `${left} IS ${not(expression)}DISTINCT FROM ${this.operand(expression.right, level.is + 1)}`;
      }
      case "Between": {
        const bounds = `${this.restricted(expression.lower)} AND ${this.operand(expression.upper, level.predicate + 1)}`;
        const symmetric = expression.symmetric ? "SYMMETRIC " : "";
        return `${this.predicateOperand(expression)} ${not(expression)}BETWEEN ${symmetric}${bounds}`;
      }
      case "InList":
        return `${this.predicateOperand(expression)} ${not(expression)}IN (${this.list(expression.items)})`;
      case "InSubquery":
        return `${this.predicateOperand(expression)} ${not(expression)}IN (${this.query(expression.query)})`;
      case "PatternMatch": {
        const pattern = this.operand(expression.pattern, level.operator);
        const escaped =
          expression.escape === undefined ? "" : ` ESCAPE ${this.operand(expression.escape, level.operator)}`;
        const words = expression.operator.toUpperCase();
        return `${this.predicateOperand(expression)} ${not(expression)}${words} ${pattern}${escaped}`;
      }
      case "QuantifiedArray":
        return `${this.quantified(expression)} (${this.expression(expression.array)})`;
      case "QuantifiedSubquery":
        return `${this.quantified(expression)} (${this.query(expression.query)})`;
      default:
        return this.form(expression);
    }
  }

  private form(expression: ast.Expression): string {
    switch (expression.kind) {
      case "Exists":
        return `EXISTS (${this.query(expression.query)})`;
      case "ScalarSubquery":
        return `(${this.query(expression.query)})`;
      case "ArrayConstructor":
        return `ARRAY${this.arrayElements(expression)}`;
      case "ArraySubquery":
        return `ARRAY(${this.query(expression.query)})`;
      case "RowConstructor":
        return `${expression.explicit ? "ROW" : ""}(${this.list(expression.fields)})`;
      case "Case":
        return this.caseExpression(expression);
      case "Cast":
        return `${this.operand(expression.operand, level.cast)}::${this.type(expression.type)}`;
      case "Collate":
        return `${this.operand(expression.operand, level.collate)} COLLATE ${qualifiedName(expression.collation)}`;
      case "Grouping":
        return `GROUPING(${this.list(expression.args)})`;
      case "Coalesce":
        return `COALESCE(${this.list(expression.args)})`;
      case "NullIf":
        return `NULLIF(${this.expression(expression.left)}, ${this.expression(expression.right)})`;
      case "MinMax":
        return `${expression.operator.toUpperCase()}(${this.list(expression.args)})`;
      case "CurrentOf":
        return `CURRENT OF ${quoteName(expression.cursor.name)}`;
      default:
        throw new Error(`no text for ${expression.kind}`);
    }
  }

  private optional(expression: ast.Expression | undefined): string {
    return expression === undefined ? "" : this.expression(expression);
  }

  private predicateOperand(expression: { readonly operand: ast.Expression }): string {
    return this.operand(expression.operand, level.predicate + 1);
  }

  private quantified(expression: ast.QuantifiedArray | ast.QuantifiedSubquery): string {
    const own = operatorLevel(expression.operator);
    const left = this.operand(expression.left, own === level.comparison ? own + 1 : own);
    return `${left} ${operatorText(expression.operator)} ${expression.quantifier.toUpperCase()}`;
  }

  /** What a subscript or field is taken from; a bare column takes subscripts only, as `a.b` is a column of `a`. */
  private base(operand: ast.Expression, isSubscript: boolean): string {
    switch (operand.kind) {
      case "ColumnRef":
        return isSubscript && !operand.star ? this.bare(operand) : `(${this.bare(operand)})`;
      case "Parameter":
      case "Subscript":
      case "Slice":
      case "FieldSelection":
      case "ScalarSubquery":
        return this.bare(operand);
      default:
        return `(${this.bare(operand)})`;
    }
  }

  /** A left-deep chain of operators, from its innermost left operand on. */
  private chain(expression: ast.BinaryOperator): string {
    const links: ast.BinaryOperator[] = [expression];
    let left = expression.left;
    for (;;) {
      const outer = links[links.length - 1];
      if (left.kind !== "BinaryOperator" || levelOf(left) < leftMinimum(outer)) break;
      links.push(left);
      left = left.left;
    }
    const parts = [this.operand(left, leftMinimum(links[links.length - 1]))];
    for (let i = links.length - 1; i >= 0; i--) {
      const { operator, right } = links[i];
      parts.push(operatorText(operator), this.operand(right, operatorLevel(operator) + 1));
    }
    return parts.join(" ");
  }

  private prefix(expression: ast.UnaryOperator): string {
    const min = isSign(expression.operator) ? level.sign : level.operator + 1;
    // A blank keeps two signs from becoming one operator, or a comment.
    return `${operatorText(expression.operator)} ${this.operand(expression.operand, min)}`;
  }

  private arrayElements(array: ast.ArrayConstructor): string {
    const nested = array.elements.length > 0 && array.elements.every((element) => element.kind === "ArrayConstructor");
    const elements = array.elements.map((element) =>
      nested ? this.arrayElements(element as ast.ArrayConstructor) : this.expression(element),
    );
    return `[${elements.join(", ")}]`;
  }

  private caseExpression(expression: ast.Case): string {
    const parts = ["CASE"];
    if (expression.operand !== undefined) parts.push(this.expression(expression.operand));
    for (const branch of expression.branches) {
      parts.push(`WHEN ${this.expression(branch.when)} THEN ${this.expression(branch.then)}`);
    }
    if (expression.otherwise !== undefined) parts.push(`ELSE ${this.expression(expression.otherwise)}`);
    return [...parts, "END"].join(" ");
  }

  // Calls, sorting, windows -----------------------------------------------------------------------------------------------

  protected call(call: ast.FunctionCall): string {
    const parts = [`${qualifiedName(call.name)}(${this.callArguments(call)})`];
    if (call.withinGroup !== undefined) parts.push(`WITHIN GROUP (${this.orderBy(call.withinGroup)})`);
    if (call.filter !== undefined) parts.push(`FILTER (WHERE ${this.expression(call.filter)})`);
    if (call.over !== undefined) {
      parts.push(`OVER ${call.over.kind === "Identifier" ? quoteName(call.over.name) : this.window(call.over)}`);
    }
    return parts.join(" ");
  }

  private callArguments(call: ast.FunctionCall): string {
    if (call.star) return "*";
    const args = call.args.map((argument) => {
      const name = argument.name === undefined ? "" : `${quoteName(argument.name.name)} => `;
      return `${argument.variadic ? "VARIADIC " : ""}${name}${this.expression(argument.value)}`;
    });
    const orderBy = call.orderBy.length === 0 ? "" : ` ${this.orderBy(call.orderBy)}`;
    return `${call.distinct ? "DISTINCT " : ""}${args.join(", ")}${orderBy}`;
  }

  protected orderBy(items: readonly ast.SortItem[]): string {
    return `ORDER BY ${items.map((item) => this.sortItem(item)).join(", ")}`;
  }

  private sortItem(item: ast.SortItem): string {
    const direction = item.direction === undefined ? "" : ` ${item.direction.toUpperCase()}`;
    const using = item.using === undefined ? "" : ` USING ${operatorText(item.using)}`;
    const nulls = item.nulls === undefined ? "" : ` NULLS ${item.nulls.toUpperCase()}`;
    return this.expression(item.expression) + direction + using + nulls;
  }

  protected window(window: ast.WindowDefinition): string {
    const parts: string[] = [];
    if (window.base !== undefined) parts.push(quoteName(window.base.name));
    if (window.partitionBy.length > 0) parts.push(`PARTITION BY ${this.list(window.partitionBy)}`);
    if (window.orderBy.length > 0) parts.push(this.orderBy(window.orderBy));
    if (window.frame !== undefined) parts.push(this.frame(window.frame));
    return `(${parts.join(" ")})`;
  }

  private frame(frame: ast.WindowFrame): string {
    const bound = ({ type, offset }: ast.FrameBound) =>
      (offset === undefined ? "" : `${this.expression(offset)} `) + type.toUpperCase();
    const exclude = frame.exclude === undefined ? "" : ` EXCLUDE ${frame.exclude.toUpperCase()}`;
    return `${frame.mode.toUpperCase()} BETWEEN ${bound(frame.start)} AND ${bound(frame.end)}${exclude}`;
  }

  /** `(a, b)`, or nothing when there are none. */
  protected columns(names: readonly ast.Identifier[]): string {
    return names.length === 0 ? "" : ` (${nameList(names)})`;
  }
}

/** Comparison does not associate; all other operators may have their own level on the left. */
function leftMinimum(outer: ast.BinaryOperator): number {
  const own = operatorLevel(outer.operator);
  return own === level.comparison ? own + 1 : own;
}

function not(expression: { readonly negated: boolean }): string {
  return expression.negated ? "NOT " : "";
}
