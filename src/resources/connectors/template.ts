/**
 * Templates of a connector: JSON in which the text `"{column}"` stands for the column's value, of whatever type, and
 * `"/repos/{repo}"` for a text with the value in it. And the way back: rows out of an answer, by path.
 */
import type { Row } from "../resource.js";

/** JSON with `{column}` in its texts. */
export type Template = string | number | boolean | null | readonly Template[] | { readonly [key: string]: Template };

/**
 * Fills a template. A field or an element whose whole value is a column that has none is left out.
 * @throws TypeError when a column that stands inside a longer text has no value
 */
export function fillTemplate(template: Template, values: Row): unknown {
  if (typeof template === "string") return fillText(template, values);
  if (Array.isArray(template)) {
    return template.map((item) => fillTemplate(item, values)).filter((item) => item !== undefined);
  }
  if (typeof template === "object" && template !== null) {
    const filled = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
  }
  return template;
}

function fillText(text: string, values: Row): unknown {
  const whole = /^\{([^{}]+)\}$/.exec(text);
  if (whole !== null) return columnValue(whole[1], values);
  return text.replace(/\{([^{}]+)\}/g, (_, column: string) => {
    const value = columnValue(column, values);
    if (value === undefined || value === null) throw new TypeError(`"${column}" has no value for "${text}"`);
    return String(value);
  });
}

function columnValue(column: string, values: Row): unknown {
  return Object.hasOwn(values, column) ? values[column] : undefined;
}

/** Names of the columns that a template mentions. */
export function templateColumns(template: Template): string[] {
  if (typeof template === "string") return [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]);
  if (typeof template !== "object" || template === null) return [];
  return Object.values(template).flatMap((item) => templateColumns(item as Template));
}

/** The value at a path such as `$.data.items`; `$` is the whole. `undefined` when something on the way is missing. */
export function valueAt(path: string, data: unknown): unknown {
  let current = data;
  for (const step of path.split(".").slice(1)) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string, unknown>)[step];
  }
  return current;
}
