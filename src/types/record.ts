/** Row values: the text form `(1,"a b",)`, comparison field by field, and objects for result rows. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { operationsOf } from "./families.js";
import { keyText } from "./key-text.js";
import type { TypeContext, TypeOperations } from "./operations.js";
import type { SqlType } from "./type.js";
import type { RecordField, Value } from "./value.js";
import { RecordValue } from "./value.js";

/** What can be done with values of a row type. Fields are those that the values carry. */
export function recordOperations(type: SqlType): TypeOperations {
  return {
    input: (text, _typmod, context) => parseRecord(text, type, context),
    output: (value, context) => recordText(value as RecordValue, context),
    compare: (a, b) => compareRecords(a as RecordValue, b as RecordValue),
    key: (value) => recordKey(value as RecordValue),
    // no resource column has a row type: their objects are jsonb
    fromHost: (value) => (value instanceof RecordValue ? value : undefined),
    // Text, as PostgreSQL's clients get it: a row has no JSON form that keeps its types.
    toHost: (value, context) => recordText(value as RecordValue, context),
  };
}

function recordText(record: RecordValue, context: TypeContext): string {
  const parts = record.values.map((value, i) =>
    value === null ? "" : quoteField(operationsOf(record.fields[i].type).output(value, context)),
  );
  return `(${parts.join()})`;
}

function quoteField(text: string): string {
  if (text === "") return '""';
  let plain = true;
  let escaped = "";
  for (const character of text) {
    if (character === '"' || character === "\\") {
      escaped += character;
      plain = false;
    } else if (plain && "(), \t\n\r\v\f".includes(character)) plain = false;
    escaped += character;
  }
  return plain ? text : `"${escaped}"`;
}

/** The order of record_cmp: the first field that differs decides; NULL is last and equal to NULL. */
function compareRecords(a: RecordValue, b: RecordValue): number {
  const count = Math.min(a.fields.length, b.fields.length);
  for (let i = 0; i < count; i++) {
    const { type } = a.fields[i];
    const other = b.fields[i].type;
    if (type !== other && type.oid !== other.oid) {
      throw new SqlError(
        sqlstate.datatypeMismatch,
        `cannot compare dissimilar column types ${type.display} and ${other.display} at record column ${i + 1}`,
      );
    }
    const { compare } = operationsOf(type);
    if (compare === undefined) {
      throw new SqlError(
        sqlstate.undefinedFunction,
        `could not identify a comparison function for type ${type.display}`,
      );
    }
    const x = a.values[i];
    const y = b.values[i];
    if (x === null || y === null) {
      if (x === y) continue;
      return x === null ? 1 : -1;
    }
    const order = compare(x, y);
    if (order !== 0) return order;
  }
  if (a.fields.length !== b.fields.length) {
    throw new SqlError(sqlstate.datatypeMismatch, "cannot compare record types with different numbers of columns");
  }
  return 0;
}

function recordKey(record: RecordValue): string {
  let key = "";
  for (let i = 0; i < record.values.length; i++) {
    key += keyText(record.values[i], operationsOf(record.fields[i].type));
  }
  return key;
}

/** Reads the text form as a row of known fields. @throws SqlError 22P02; 0A000 when the fields are not known */
function parseRecord(text: string, type: SqlType, context: TypeContext): RecordValue {
  if (type.fields === undefined) {
    throw new SqlError(sqlstate.featureNotSupported, "input of anonymous composite types is not implemented", {
      hint: "Write the row as ROW(…).",
    });
  }
  const parts = new RecordLiteral(text, type.fields).read();
  const { fields } = type;
  const values: Value[] = parts.map((part, i) => {
    const { type: field, typmod = -1 } = fields[i];
    return part === null ? null : operationsOf(field).input(part, typmod, context);
  });
  return new RecordValue(values, fields);
}

/** A literal `(a,"b c",)` taken apart. */
class RecordLiteral {
  private at = 0;

  constructor(
    private readonly literal: string,
    private readonly fields: readonly RecordField[],
  ) {}

  read(): (string | null)[] {
    this.skipSpace();
    if (this.literal[this.at] !== "(") throw this.malformed("Missing left parenthesis.");
    this.at++;
    const parts: (string | null)[] = [];
    for (let i = 0; i < this.fields.length; i++) {
      if (i > 0) {
        if (this.literal[this.at] !== ",") throw this.malformed("Too few columns.");
        this.at++;
      }
      parts.push(this.field());
    }
    if (this.literal[this.at] !== ")") throw this.malformed("Too many columns.");
    this.at++;
    this.skipSpace();
    if (this.at < this.literal.length) throw this.malformed("Junk after right parenthesis.");
    return parts;
  }

  private field(): string | null {
    if (this.literal[this.at] === "," || this.literal[this.at] === ")") return null;
    let inQuotes = false;
    let text = "";
    for (;;) {
      const character = this.literal[this.at];
      if (character === undefined) throw this.malformed("Unexpected end of input.");
      if (!inQuotes && (character === "," || character === ")")) return text;
      this.at++;
      if (character === "\\") {
        const escaped = this.literal[this.at++];
        if (escaped === undefined) throw this.malformed("Unexpected end of input.");
        text += escaped;
      } else if (character === '"') {
        if (!inQuotes) inQuotes = true;
        else if (this.literal[this.at] === '"') {
          text += '"';
          this.at++;
        } else inQuotes = false;
      } else text += character;
    }
  }

  private skipSpace(): void {
    while (this.at < this.literal.length && " \t\n\r\v\f".includes(this.literal[this.at])) this.at++;
  }

  private malformed(detail: string): SqlError {
    return new SqlError(sqlstate.invalidTextRepresentation, `malformed record literal: "${this.literal}"`, { detail });
  }
}
