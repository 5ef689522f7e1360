/**
 * The same cases with parameters: literals of a statement become `$n`. A number becomes `$n` cast to its own type, so the
 * statement means the same; a text becomes a bare `$n` only beside a column, where it takes the column's type as the literal did.
 */
import type { ast } from "glove-scratchpad/sql";
import { builtEngine } from "./built.js";
import type { Case, Group } from "./corpus.js";

/** Groups of the cases that have literals to replace, under a source name of their own. */
export async function withParameters(groups: readonly Group[]): Promise<Group[]> {
  const { parse, deparse } = await builtEngine();
  const changed = groups.map((group) => {
    const cases = group.cases.flatMap((item) => {
      const found = parameterised(item, (sql) => parse(sql), deparse);
      return found === undefined ? (group.ordered ? [item] : []) : [found];
    });
    return { ...group, source: `${group.source} $n`, id: `${group.id} $n`, cases };
  });
  return changed.filter((group) => group.cases.length > 0);
}

type Parse = (sql: string) => ast.Statement[];
type Print = (statement: ast.Statement) => string;

function parameterised(item: Case, parse: Parse, print: Print): Case | undefined {
  // an error keeps its code only where nothing about the literal is part of the error
  if ("sqlstate" in item.want || item.params !== undefined) return undefined;
  const statements = parse(item.sql);
  if (statements.length !== 1) return undefined;
  const rewriter = new Rewriter();
  const statement = rewriter.node(statements[0]);
  if (rewriter.values.length === 0) return undefined;
  return { ...item, id: `${item.id} $n`, sql: print(statement), params: rewriter.values };
}

type Plain = Record<string, unknown>;

const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);

class Rewriter {
  readonly values: unknown[] = [];
  private readonly numbers = new Map<string, ast.Parameter>();

  node<N>(node: N): N {
    return this.copy(node as unknown) as N;
  }

  private copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (typeof value !== "object" || value === null) return value;
    const node = value as Plain;
    switch (node.kind) {
      case "NumericLiteral":
        return this.number(node as unknown as ast.NumericLiteral);
      // GROUP BY 1 and ORDER BY 1 are positions, and what is grouped by must be written as it is selected
      case "GroupByClause":
      case "SortItem":
      case "DistinctClause":
      // a type's modifier and a default are no expressions of the statement
      case "TypeName":
      case "CreateTableStatement":
        return node;
      case "SelectCore":
        return this.selectCore(node);
      case "BinaryOperator":
        return this.comparison(node as unknown as ast.BinaryOperator);
      default:
        return this.fields(node);
    }
  }

  private fields(node: Plain): Plain {
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [key, key === "range" ? item : this.copy(item)]),
    );
  }

  /** With GROUP BY or DISTINCT an expression must stay the same expression wherever it is repeated: only FROM and WHERE change. */
  private selectCore(node: Plain): Plain {
    if (node.groupBy === undefined && node.distinct === undefined) return this.fields(node);
    return { ...node, where: this.copy(node.where), from: this.copy(node.from) };
  }

  private comparison(node: ast.BinaryOperator): Plain {
    const { operator, left, right } = node;
    const plain = operator.schema === undefined && comparisons.has(operator.name);
    if (plain && left.kind === "ColumnRef" && right.kind === "StringLiteral") {
      return { ...node, right: this.text(right) };
    }
    if (plain && right.kind === "ColumnRef" && left.kind === "StringLiteral") return { ...node, left: this.text(left) };
    return this.fields(node as unknown as Plain);
  }

  private text({ value, range }: ast.StringLiteral): ast.Parameter {
    this.values.push(value);
    return { kind: "Parameter", number: this.values.length, range };
  }

  private number(node: ast.NumericLiteral): ast.Expression {
    const type = typeOf(node);
    if (type === undefined) return node;
    const { range, text } = node;
    let parameter = this.numbers.get(text);
    if (parameter === undefined) {
      this.values.push(type === "int4" ? Number(text) : text);
      parameter = { kind: "Parameter", number: this.values.length, range };
      this.numbers.set(text, parameter);
    }
    const written = { modifiers: [], arrayBounds: [], setOf: false, percentType: false, range };
    return { kind: "Cast", operand: parameter, type: { kind: "TypeName", name: type, ...written }, range };
  }
}

/** The type that PostgreSQL gives the literal; nothing for forms that only a literal has (hexadecimal, underscores). */
function typeOf({ text, isInteger }: ast.NumericLiteral): string | undefined {
  if (!/^-?[\d.]+(e[-+]?\d+)?$/i.test(text)) return undefined;
  if (!isInteger) return "numeric";
  const value = BigInt(text);
  if (BigInt.asIntN(32, value) === value) return "int4";
  return BigInt.asIntN(64, value) === value ? "int8" : "numeric";
}
