/**
 * Fills the templates of a verb with the values of one call, and remembers which of them have found a place in the request:
 * a read that could not pass on a predicate must not be cut short by a limit, and a write must not lose a column.
 */
import { type Template, templateColumns } from "../template.js";
import { valueText } from "./values.js";

/** What a call has for the placeholders. */
export interface PlaceholderValues {
  /** Placeholder (`repo`, `updated_at >=`, `$limit`) → its value. */
  readonly single: ReadonlyMap<string, unknown>;
  /** Columns bound to several values although each call of the service is for one: only a joined parameter takes them. */
  readonly several: ReadonlyMap<string, readonly unknown[]>;
  /** INSERT of several rows at once: the rows, for what stands below `$rows`. */
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
}

/** Fills templates; one for each request. */
export class Filler {
  /** Placeholders whose value stands in the request. */
  readonly used = new Set<string>();

  constructor(private readonly values: PlaceholderValues) {}

  /**
   * JSON for a body: NULL is null; a field or an element with a placeholder that has no value is left out.
   * @returns `undefined` when nothing is left
   */
  json(template: Template): unknown {
    if (typeof template === "string") {
      const value = this.text(template, "a text of the body", false);
      if (value !== undefined) this.use(template);
      return value;
    }
    if (Array.isArray(template)) {
      return template.map((item) => this.json(item)).filter((item) => item !== undefined);
    }
    if (typeof template === "object" && template !== null) {
      const eachRow = rowTemplate(template);
      if (eachRow !== undefined) return this.list(eachRow);
      const fields = Object.entries(template).map(([name, value]) => [name, this.json(value)] as const);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    return template;
  }

  /** One element a row. A placeholder has found its place when each row that has a value for it carries it. */
  private list(template: Template): unknown[] {
    const { rows = [], ...shared } = this.values;
    const names = templateColumns(template);
    const lost = new Set<string>();
    const elements = rows.map((row) => {
      const filler = new Filler({ ...shared, single: new Map([...shared.single, ...Object.entries(row)]) });
      const element = filler.json(template);
      // A NULL without a place is left to the service's own default, as in an INSERT of one row.
      for (const name of names) if ((row[name] ?? null) !== null && !filler.used.has(name)) lost.add(name);
      return element ?? {};
    });
    for (const name of names) if (!lost.has(name)) this.used.add(name);
    return elements;
  }

  /**
   * A parameter, field or header: `undefined` when a placeholder of it has no value, NULL or an empty list.
   * @param takesSeveral whether several values of a column may stand in it
   */
  parameter(template: Template, place: string, takesSeveral = false): unknown {
    const value = this.plain(template, place, takesSeveral);
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return undefined;
    this.use(template);
    return value;
  }

  private plain(template: Template, place: string, takesSeveral: boolean): unknown {
    if (typeof template === "string") return this.text(template, place, takesSeveral);
    if (!Array.isArray(template)) return template;
    return template.map((item) => this.plain(item, place, false)).filter((item) => item !== undefined && item !== null);
  }

  /** The value itself when the text is one placeholder; otherwise the text with the values in it. */
  private text(text: string, place: string, takesSeveral: boolean): unknown {
    const whole = wholePlaceholder(text);
    if (whole !== undefined) return this.valueOf(whole, takesSeveral);
    let isComplete = true;
    const filled = text.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const value = this.valueOf(name, false);
      if (value === undefined || value === null) {
        isComplete = false;
        return "";
      }
      return valueText(value, place);
    });
    return isComplete ? filled : undefined;
  }

  /** The value of a placeholder; `undefined` when the call has none. */
  valueOf(name: string, takesSeveral = false): unknown {
    if (this.values.single.has(name)) return this.values.single.get(name);
    return takesSeveral ? this.values.several.get(name) : undefined;
  }

  /** Notes that the placeholders of a template have found their place. */
  use(template: Template): void {
    for (const name of templateColumns(template)) this.used.add(name);
  }
}

/** What stands below `$rows`, the only key of its object; `undefined` for any other template. */
export function rowTemplate(template: Template): Template | undefined {
  if (typeof template !== "object" || template === null || Array.isArray(template)) return undefined;
  const [entry, ...others] = Object.entries(template);
  return entry?.[0] === "$rows" && others.length === 0 ? entry[1] : undefined;
}

/** Whether a `$rows` stands in it. */
export function hasRows(template: Template | undefined): boolean {
  if (typeof template !== "object" || template === null) return false;
  return rowTemplate(template) !== undefined || Object.values(template).some((part) => hasRows(part as Template));
}

/** The template without what stands below `$rows`. */
export function withoutRows(template: Template | undefined): Template {
  if (typeof template !== "object" || template === null) return template ?? null;
  if (rowTemplate(template) !== undefined) return null;
  return Object.values(template).map((part) => withoutRows(part as Template));
}

/** The placeholder that a text is, when it is nothing else. */
export function wholePlaceholder(text: string): string | undefined {
  return /^\{([^{}]+)\}$/.exec(text)?.[1];
}
