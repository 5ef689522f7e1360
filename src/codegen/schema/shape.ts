/**
 * The shape of a value: JSON Schema brought down to the few forms that a Zod schema and a TypeScript type are both made
 * of. Every emitter works from it, so that the two say the same, and oddities of schemas stay on this side.
 */

/** What a value may be, and what a reader should know of it. */
export type Shape = ShapeForm & {
  readonly description?: string;
  /** The PostgreSQL type that a column of this shape has, whatever the shape says. */
  readonly pgType?: string;
};

export type ShapeForm =
  | { readonly kind: "unknown" }
  | { readonly kind: "never" }
  | { readonly kind: "null" }
  | { readonly kind: "boolean" }
  | { readonly kind: "string"; readonly format?: "date-time" | "date"; readonly minLength?: number }
  | ({ readonly kind: "number" | "integer" } & NumberBounds)
  | { readonly kind: "literal"; readonly values: readonly LiteralValue[] }
  | { readonly kind: "array"; readonly element: Shape; readonly min?: number; readonly max?: number }
  /** The first elements, of which `required` have to be there, and the shape of further ones. */
  | { readonly kind: "tuple"; readonly items: readonly Shape[]; readonly required: number; readonly rest?: Shape }
  | ObjectForm
  | { readonly kind: "union"; readonly options: readonly Shape[] }
  | { readonly kind: "intersection"; readonly parts: readonly Shape[] }
  /** A definition of the same {@link RowShape}. */
  | { readonly kind: "reference"; readonly name: string };

export type LiteralValue = string | number | boolean | null;

export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
  /** Excluded themselves. */
  readonly above?: number;
  readonly below?: number;
}

export interface ObjectForm {
  readonly kind: "object";
  readonly properties: ReadonlyMap<string, { readonly shape: Shape; readonly required: boolean }>;
  /** The shape of other properties; absent: there are none. */
  readonly rest?: Shape;
}

/** The shape of a row, and the definitions that it refers to. */
export interface RowShape {
  readonly row: ObjectForm;
  /** Name → shape, each after those that it needs, except where they need each other. */
  readonly definitions: ReadonlyMap<string, Definition>;
}

export interface Definition {
  readonly shape: Shape;
  /** Whether it contains itself, by whatever way. */
  readonly isRecursive: boolean;
}

/** The name under which a row that contains itself refers to itself. */
export const rowReference = "#";

/** The shapes that a shape is made of. */
export function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "array":
      return [shape.element];
    case "tuple":
      return shape.rest === undefined ? shape.items : [...shape.items, shape.rest];
    case "object": {
      const properties = [...shape.properties.values()].map((property) => property.shape);
      return shape.rest === undefined ? properties : [...properties, shape.rest];
    }
    case "union":
      return shape.options;
    case "intersection":
      return shape.parts;
    default:
      return [];
  }
}

/** Names of the definitions that a shape refers to. */
export function referencesOf(shape: Shape): string[] {
  return shape.kind === "reference" ? [shape.name] : partsOf(shape).flatMap(referencesOf);
}
