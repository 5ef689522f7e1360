/** The columns of CREATE TABLE: types, NOT NULL, DEFAULT, serial and identity, generated columns. */

import type { TableColumn } from "../../catalog/table.js";
import { resolveColumnType } from "../../catalog/type-name.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { deparseExpression, quoteString } from "../../grammar/deparse.js";
import { walk } from "../../grammar/walk.js";
import { type SqlType, types } from "../../types/type.js";
import { chooseName } from "./object-names.js";
import { type Sequence, sequenceFor } from "./sequence.js";
import type { GeneratedColumn } from "./stored-table.js";

/** What the columns of a table turn out to be. */
export interface ResolvedColumns {
  readonly columns: TableColumn[];
  readonly sequences: Sequence[];
  readonly generated: GeneratedColumn[];
}

/** What resolving needs to know of the surroundings. */
export interface ColumnContext {
  readonly table: string;
  readonly userType: (name: string, schema?: string) => SqlType | undefined;
  /** Whether a sequence of that name exists. */
  readonly nameTaken: (name: string) => boolean;
}

/** A map, since a type may have any name: an enum may be called `constructor`. */
const serialTypes: ReadonlyMap<string, SqlType> = new Map([
  ["serial", types.int4],
  ["serial2", types.int2],
  ["serial4", types.int4],
  ["serial8", types.int8],
  ["smallserial", types.int2],
  ["bigserial", types.int8],
]);

const systemColumns = new Set(["tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"]);

/** @throws SqlError 42701, 42704, 42601, 42P17, 0A000 */
export function resolveColumns(nodes: readonly ast.ColumnDefinition[], context: ColumnContext): ResolvedColumns {
  const resolved: ResolvedColumns = { columns: [], sequences: [], generated: [] };
  const seen = new Set<string>();
  for (const node of nodes) {
    const { name } = node.name;
    const position = node.name.range.start + 1;
    if (seen.has(name)) {
      throw new SqlError(sqlstate.duplicateColumn, `column "${name}" specified more than once`, { position });
    }
    if (systemColumns.has(name)) {
      throw new SqlError(sqlstate.duplicateColumn, `column name "${name}" conflicts with a system column name`, {
        position,
      });
    }
    seen.add(name);
    resolveColumn(node, context, resolved);
  }
  return resolved;
}

function resolveColumn(node: ast.ColumnDefinition, context: ColumnContext, resolved: ResolvedColumns): void {
  const { name } = node.name;
  checkCollation(node.collation);
  const serial = node.type.schema === undefined ? serialTypes.get(node.type.name) : undefined;
  if (serial !== undefined && node.type.arrayBounds.length > 0) {
    throw new SqlError(sqlstate.featureNotSupported, "array of serial is not implemented", {
      position: node.type.range.start + 1,
    });
  }
  const { type, typmod } =
    serial === undefined ? resolveColumnType(node.type, context.userType) : { type: serial, typmod: -1 };
  const facts = readConstraints(node, context);
  let { defaultSql } = facts;
  if (serial !== undefined || facts.identity !== undefined) {
    if (defaultSql !== undefined || (serial !== undefined && facts.identity !== undefined)) {
      throw manyDefaults(name, context.table, node);
    }
    const sequence = columnSequence(node, type, facts.identity, context, resolved.sequences);
    resolved.sequences.push(sequence);
    defaultSql = `nextval(${quoteString(sequence.name)})`;
  }
  if (facts.generatedSql !== undefined) {
    if (defaultSql !== undefined) {
      throw new SqlError(
        sqlstate.syntaxError,
        `both default and generation expression specified for column "${name}" of table "${context.table}"`,
        { position: node.range.start + 1 },
      );
    }
    resolved.generated.push({ column: resolved.columns.length, sql: facts.generatedSql });
  }
  const notNull = facts.notNull === true || serial !== undefined || facts.identity !== undefined;
  resolved.columns.push({
    name,
    type,
    typmod,
    nullable: !notNull,
    pushable: false,
    ...(defaultSql !== undefined && { defaultSql }),
    ...(facts.generatedSql !== undefined && { generated: "stored" }),
    ...(facts.identity !== undefined && { generated: facts.identity.always ? "always" : "by default" }),
  });
}

/** A default sees no row. */
function refuseColumns(expression: ast.Expression): void {
  walk(expression, (node) => {
    if (node.kind !== "ColumnRef") return;
    throw new SqlError(sqlstate.featureNotSupported, "cannot use column reference in DEFAULT expression", {
      position: node.range.start + 1,
    });
  });
}

interface ColumnFacts {
  readonly notNull?: boolean;
  readonly defaultSql?: string;
  readonly generatedSql?: string;
  readonly identity?: ast.IdentityConstraint;
}

function readConstraints(node: ast.ColumnDefinition, context: ColumnContext): ColumnFacts {
  const { name } = node.name;
  let notNull: boolean | undefined;
  let defaultSql: string | undefined;
  let generatedSql: string | undefined;
  let identity: ast.IdentityConstraint | undefined;
  for (const constraint of node.constraints) {
    switch (constraint.kind) {
      case "NotNullConstraint":
      case "NullConstraint": {
        const wanted = constraint.kind === "NotNullConstraint";
        if (notNull !== undefined && notNull !== wanted) {
          throw new SqlError(
            sqlstate.syntaxError,
            `conflicting NULL/NOT NULL declarations for column "${name}" of table "${context.table}"`,
            { position: constraint.range.start + 1 },
          );
        }
        notNull = wanted;
        break;
      }
      case "DefaultConstraint":
        if (defaultSql !== undefined) throw manyDefaults(name, context.table, constraint);
        refuseColumns(constraint.value);
        defaultSql = deparseExpression(constraint.value);
        break;
      case "GeneratedConstraint":
        generatedSql = deparseExpression(constraint.expression);
        break;
      case "IdentityConstraint":
        identity = constraint;
        break;
      default: // keys, checks and references are read with those of the table
    }
  }
  return { notNull, defaultSql, generatedSql, identity };
}

function columnSequence(
  node: ast.ColumnDefinition,
  type: SqlType,
  identity: ast.IdentityConstraint | undefined,
  context: ColumnContext,
  made: readonly Sequence[],
): Sequence {
  if (type !== types.int2 && type !== types.int4 && type !== types.int8) {
    throw new SqlError(sqlstate.invalidParameterValue, "identity column type must be smallint, integer, or bigint", {
      position: node.range.start + 1,
    });
  }
  const taken = (name: string) => context.nameTaken(name) || made.some((sequence) => sequence.name === name);
  const name = chooseName(context.table, [node.name.name], "seq", taken);
  return sequenceFor(name, type.name, identity?.start, identity?.increment);
}

function checkCollation(collation: ast.QualifiedName | undefined): void {
  if (collation === undefined || ["C", "POSIX", "default"].includes(collation.name)) return;
  throw new SqlError(sqlstate.featureNotSupported, `collation "${collation.name}" is not supported`, {
    position: collation.range.start + 1,
    hint: 'Text is ordered by its bytes: COLLATE "C".',
  });
}

function manyDefaults(column: string, table: string, node: ast.NodeBase): SqlError {
  return new SqlError(
    sqlstate.syntaxError,
    `multiple default values specified for column "${column}" of table "${table}"`,
    {
      position: node.range.start + 1,
    },
  );
}
