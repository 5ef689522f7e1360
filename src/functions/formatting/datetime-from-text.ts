/**
 * to_date and to_timestamp of two texts: reads the fields that a format asks for, then makes a date and time of them.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type FieldNode, isBlank, isSeparator, type PatternNode, parsePattern } from "./datetime-pattern.js";
import { SourceText } from "./datetime-source.js";
import { dayNames, monthNames, romanMonths } from "./names.js";

/** The fields as read; 0 is "not given" for numbers, as in PostgreSQL. */
export class ReadFields {
  convention: "gregorian" | "iso" | undefined;
  hour = 0;
  minute = 0;
  second = 0;
  secondOfDay = 0;
  millisecond = 0;
  microsecond = 0;
  /** Digits of FF1 to FF6. */
  precision: number | undefined;
  twelveHours = false;
  pm: boolean | undefined;
  bc: boolean | undefined;
  year = 0;
  /** Digits of the year's pattern. */
  yearDigits = 0;
  century = 0;
  month = 0;
  day = 0;
  yearDay = 0;
  /** 1 for Sunday. */
  weekday = 0;
  week = 0;
  weekOfMonth = 0;
  julian = 0;
  zoneSign = 0;
  zoneHours = 0;
  zoneMinutes = 0;
}

type NumberField = {
  [K in keyof ReadFields]: ReadFields[K] extends number ? K : never;
}[keyof ReadFields];

function malformed(message: string, options: { detail?: string; hint?: string } = {}): SqlError {
  return new SqlError(sqlstate.invalidDatetimeFormat, message, options);
}

/**
 * `standard` is the stricter way of the SQL standard (paths of jsonb): separators and quoted text must stand as in the
 * format, and the format must use up the text.
 * @throws SqlError 22007, 22008, 0A000
 */
export function readByPattern(text: string, format: string, standard = false): ReadFields {
  return new PatternReader(text, parsePattern(format), standard).read();
}

const isoPatterns = new Set(["IDDD", "ID", "IW", "IYYY", "IYY", "IY", "I"]);
const gregorianPatterns = new Set("DDD DD D MM MONTH MON RM WW W Y,YYY YYYY YYY YY Y".split(" "));

class PatternReader {
  private readonly source: SourceText;
  private readonly fields = new ReadFields();
  /** FX: blanks and separators must stand as in the format. */
  private fixed = false;
  /** Characters skipped beyond those that the format asked for. */
  private extra = 0;

  constructor(
    text: string,
    private readonly nodes: readonly PatternNode[],
    private readonly standard: boolean,
  ) {
    this.source = new SourceText(text);
    this.fixed = standard;
  }

  read(): ReadFields {
    const { source, nodes } = this;
    let i = 0;
    for (; i < nodes.length && !source.atEnd(); i++) {
      const node = nodes[i];
      const isField = node.kind === "field";
      if (!this.fixed && (isField || i === 0) && !(isField && node.id === "FX")) this.extra += source.skipBlanks();
      if (!isField) {
        this.skipLiteral(node);
        continue;
      }
      this.useConvention(node);
      this.readField(node, nodes[i + 1]);
      if (!this.fixed) this.extra = source.skipBlanks();
    }
    if (this.standard) {
      if (i < nodes.length) throw malformed("input string is too short for datetime format");
      source.skipBlanks();
      if (!source.atEnd()) throw malformed("trailing characters remain in input string after datetime format");
    }
    return this.fields;
  }

  private skipLiteral(node: Exclude<PatternNode, FieldNode>): void {
    const { source } = this;
    if (this.standard && !source.text.startsWith(node.text, source.at)) {
      const what = node.kind === "text" ? "character" : "separator";
      throw malformed(`unmatched format ${what} "${node.text}"`);
    }
    if (this.fixed) source.skipCharacter();
    else if (node.kind !== "text") {
      this.extra--;
      const character = source.current();
      if (isBlank(character) || isSeparator(character)) {
        source.at++;
        this.extra++;
      }
    } else if (this.extra > 0) this.extra--;
    else source.skipCharacter();
  }

  private useConvention({ id }: FieldNode): void {
    const convention = isoPatterns.has(id) ? "iso" : gregorianPatterns.has(id) ? "gregorian" : undefined;
    if (convention === undefined) return;
    this.fields.convention ??= convention;
    if (this.fields.convention !== convention)
      throw malformed("invalid combination of date conventions", {
        hint: "Do not mix Gregorian and ISO week date conventions in a formatting template.",
      });
  }

  private readField(node: FieldNode, next: PatternNode | undefined): void {
    const { source, fields } = this;
    const number = (field: NumberField, width?: number): void => {
      this.set(field, source.integer(node, next, width).value, node);
      this.skipOrdinal(node);
    };
    switch (node.id) {
      case "FX":
        this.fixed = true;
        return;
      case "A.M.":
      case "P.M.":
        this.setFlag("pm", source.name(node, ["a.m.", "p.m."]) === 1, node);
        fields.twelveHours = true;
        return;
      case "AM":
      case "PM":
        this.setFlag("pm", source.name(node, ["am", "pm"]) === 1, node);
        fields.twelveHours = true;
        return;
      case "HH":
      case "HH12":
        number("hour", 2);
        fields.twelveHours = true;
        return;
      case "HH24":
        number("hour", 2);
        return;
      case "MI":
        number("minute");
        return;
      case "SS":
        number("second");
        return;
      case "MS":
        this.readFraction("millisecond", 3, node, next);
        return;
      case "US":
        this.readFraction("microsecond", 6, node, next);
        return;
      case "FF1":
      case "FF2":
      case "FF3":
      case "FF4":
      case "FF5":
      case "FF6":
        fields.precision = Number(node.id[2]);
        this.readFraction("microsecond", fields.precision, node, next);
        return;
      case "SSSS":
      case "SSSSS":
        number("secondOfDay");
        return;
      case "TZ":
      case "OF":
        throw new SqlError(
          sqlstate.featureNotSupported,
          `formatting field "${node.name}" is only supported in to_char`,
        );
      case "TZH":
        this.readZoneSign();
        this.set("zoneHours", source.integer(node, next, 2).value, node);
        return;
      case "TZM":
        if (fields.zoneSign === 0) fields.zoneSign = 1;
        this.set("zoneMinutes", source.integer(node, next, 2).value, node);
        return;
      case "A.D.":
      case "B.C.":
        this.setFlag("bc", source.name(node, ["a.d.", "b.c."]) === 1, node);
        return;
      case "AD":
      case "BC":
        this.setFlag("bc", source.name(node, ["ad", "bc"]) === 1, node);
        return;
      default:
        this.readDateField(node, next, number);
    }
  }

  private readDateField(node: FieldNode, next: PatternNode | undefined, number: (field: NumberField) => void): void {
    const { source } = this;
    switch (node.id) {
      case "MONTH":
        this.set("month", source.name(node, monthNames) + 1, node);
        return;
      case "MON":
        this.set("month", source.name(node, shortMonths) + 1, node);
        return;
      case "MM":
        number("month");
        return;
      case "DAY":
        this.set("weekday", source.name(node, dayNames) + 1, node);
        return;
      case "DY":
        this.set("weekday", source.name(node, shortDays) + 1, node);
        return;
      case "DDD":
        number("yearDay");
        return;
      case "IDDD":
        this.set("yearDay", source.integer(node, next, 3).value, node);
        this.skipOrdinal(node);
        return;
      case "DD":
        number("day");
        return;
      case "D":
        number("weekday");
        return;
      case "ID": {
        const { value } = source.integer(node, next, 1);
        this.set("weekday", value + 1 > 7 ? 1 : value + 1, node);
        this.skipOrdinal(node);
        return;
      }
      case "WW":
      case "IW":
        number("week");
        return;
      case "Q":
        // A quarter says no date; it is read and left out.
        source.integer(node, next);
        this.skipOrdinal(node);
        return;
      case "CC":
        number("century");
        return;
      case "Y,YYY":
        this.readYearWithComma(node);
        return;
      case "RM":
        // The longest numeral that fits: VIII before VII, XII before XI.
        this.set("month", 12 - source.name(node, romanBackwards), node);
        return;
      case "W":
        number("weekOfMonth");
        return;
      case "J":
        number("julian");
        return;
      default:
        this.readYear(node, next);
    }
  }

  /** 25 of a second is 250 milliseconds, 025 is 25. */
  private readFraction(
    field: "millisecond" | "microsecond",
    digits: number,
    node: FieldNode,
    next: PatternNode | undefined,
  ): void {
    const { value, taken } = this.source.integer(node, next, digits);
    this.set(field, value, node);
    const whole = field === "millisecond" ? 3 : 6;
    this.fields[field] = value * (taken < whole ? 10 ** (whole - taken) : 1);
    this.skipOrdinal(node);
  }

  /** The sign may have been passed over as a separator. */
  private readZoneSign(): void {
    const { source, fields } = this;
    const character = source.current();
    if (character === "+" || character === "-" || character === " ") {
      fields.zoneSign = character === "-" ? -1 : 1;
      source.at++;
    } else fields.zoneSign = this.extra > 0 && source.text[source.at - 1] === "-" ? -1 : 1;
  }

  private readYear(node: FieldNode, next: PatternNode | undefined): void {
    const digits = node.id.length;
    const { value, taken } = this.source.integer(node, next);
    const year = digits < 4 && taken < 4 ? nearestYear(value) : value;
    this.set("year", year, node);
    this.fields.yearDigits = digits;
    this.skipOrdinal(node);
  }

  private readYearWithComma(node: FieldNode): void {
    const { source } = this;
    source.skipBlanks();
    const comma = source.text.indexOf(",", source.at);
    const thousands = Number(source.text.slice(source.at, comma));
    let end = comma + 1;
    while (end < comma + 4 && source.text[end] >= "0" && source.text[end] <= "9") end++;
    if (comma <= source.at || end === comma + 1 || !Number.isInteger(thousands))
      throw malformed('invalid input string for "Y,YYY"');
    this.set("year", thousands * 1000 + Number(source.text.slice(comma + 1, end)), node);
    this.fields.yearDigits = 4;
    source.at = end;
    this.skipOrdinal(node);
  }

  private skipOrdinal(node: FieldNode): void {
    if (node.ordinal === undefined) return;
    this.source.skipCharacter();
    this.source.skipCharacter();
  }

  private set(field: NumberField, value: number, node: FieldNode): void {
    const before = this.fields[field];
    if (before !== 0 && before !== value) throw this.conflict(node);
    this.fields[field] = value;
  }

  private setFlag(field: "pm" | "bc", value: boolean, node: FieldNode): void {
    // As in PostgreSQL, AM and AD are "not given": a later PM or BC wins.
    if (this.fields[field] === true && !value) throw this.conflict(node);
    this.fields[field] = value;
  }

  private conflict(node: FieldNode): SqlError {
    return malformed(`conflicting values for "${node.name}" field in formatting string`, {
      detail: "This value contradicts a previous setting for the same field type.",
    });
  }
}

const shortMonths = monthNames.map((name) => name.slice(0, 3));
const shortDays = dayNames.map((name) => name.slice(0, 3));
const romanBackwards = [...romanMonths].reverse();

/** Years of less than four digits are those nearest to 2020. */
function nearestYear(year: number): number {
  if (year < 70) return year + 2000;
  if (year < 100) return year + 1900;
  if (year < 520) return year + 2000;
  return year < 1000 ? year + 1000 : year;
}
