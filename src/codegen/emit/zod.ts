/** Shapes as the source text of Zod schemas. */
import type { NumberBounds, ObjectForm, RowShape, Shape } from "../schema/shape.js";
import { rowReference } from "../schema/shape.js";
import { type ResourceNames, schemaOf } from "./names.js";
import { propertyKey, scalarText } from "./text.js";

/** Longest call that stays on one line. */
const lineWidth = 100;

/**
 * The declarations of a row's schema and of the schemas it refers to. Each is made by a function that is marked as pure, so
 * that a bundler drops it with the rest of a module that nobody uses.
 */
export function zodDeclarations({ row, definitions }: RowShape, names: ResourceNames): string {
  const text = (shape: Shape, indent: number) => zodText(shape, indent, names);
  const declared = [...definitions].map(([reference, { shape, isRecursive }]) => {
    const type = names.definitions.get(reference) as string;
    const made = isRecursive
      ? `z.ZodType<${type}> = /* @__PURE__ */ z.lazy(() => ${text(shape, 0)} as z.ZodType<${type}>)`
      : undefined;
    return `/** Schema of {@link ${type}}. */\nexport const ${schemaOf(type)}${made === undefined ? ` = ${pure(text(shape, 0))}` : `: ${made}`};\n`;
  });
  declared.push(
    `/** Schema of {@link ${names.row}}. */\nexport const ${names.schema} = ${pure(objectText(row, "object", 0, names))};\n`,
  );
  return declared.join("\n");
}

function pure(text: string): string {
  return `/* @__PURE__ */ (() => ${text})()`;
}

/** The text of a schema. @param indent blanks before the line that it begins on */
function zodText(shape: Shape, indent: number, names: ResourceNames): string {
  return `${formText(shape, indent, names)}${annotationText(shape)}`;
}

function annotationText({ description, pgType }: Shape): string {
  if (pgType !== undefined) {
    return `.meta({ ${description === undefined ? "" : `description: ${scalarText(description)}, `}pgType: ${scalarText(pgType)} })`;
  }
  return description === undefined ? "" : `.describe(${scalarText(description)})`;
}

function formText(shape: Shape, indent: number, names: ResourceNames): string {
  const inner = (part: Shape, deeper = 0) => zodText(part, indent + deeper, names);
  switch (shape.kind) {
    case "unknown":
    case "never":
    case "null":
    case "boolean":
      return `z.${shape.kind}()`;
    case "string":
      if (shape.format === "date-time") return "z.iso.datetime({ offset: true })";
      if (shape.format === "date") return "z.iso.date()";
      return shape.minLength === undefined || shape.minLength === 0
        ? "z.string()"
        : `z.string().min(${shape.minLength})`;
    case "integer":
      return `z.int()${boundsText(shape)}`;
    case "number":
      return `z.number()${boundsText(shape)}`;
    case "literal":
      return literalsText(shape.values);
    case "array":
      return `z.array(${inner(shape.element)})${callText("min", shape.min)}${callText("max", shape.max)}`;
    case "tuple": {
      const items = shape.items.map((item, index) => `${inner(item)}${index < shape.required ? "" : ".optional()"}`);
      return `z.tuple([${items.join(", ")}]${shape.rest === undefined ? "" : `, ${inner(shape.rest)}`})`;
    }
    case "object":
      return openObjectText(shape, indent, names);
    case "union":
      return unionText(shape.options, inner);
    case "intersection":
      return shape.parts.map((part) => inner(part)).reduce((left, right) => `z.intersection(${left}, ${right})`);
    case "reference":
      return referenceText(shape.name, names);
  }
}

function referenceText(reference: string, names: ResourceNames): string {
  if (reference !== rowReference) return schemaOf(names.definitions.get(reference) as string);
  // The row's own schema is being made where it is mentioned, and its type may not depend on itself.
  return `z.lazy((): z.ZodType<${names.row}> => ${names.schema} as z.ZodType<${names.row}>)`;
}

function literalsText(values: readonly unknown[]): string {
  if (values.every((value) => typeof value === "string")) return `z.enum([${values.map(scalarText).join(", ")}])`;
  return values.length === 1
    ? `z.literal(${scalarText(values[0])})`
    : `z.literal([${values.map(scalarText).join(", ")}])`;
}

/** The last alternative is null: see `eitherOf`. */
function unionText(options: readonly Shape[], inner: (part: Shape) => string): string {
  const present = options.filter((option) => option.kind !== "null");
  const text =
    present.length === 1 ? inner(present[0]) : `z.union([${present.map((option) => inner(option)).join(", ")}])`;
  return present.length < options.length ? `${text}.nullable()` : text;
}

function boundsText({ min, max, above, below }: NumberBounds): string {
  return callText("min", min) + callText("max", max) + callText("gt", above) + callText("lt", below);
}

function callText(method: string, value: number | undefined): string {
  return value === undefined ? "" : `.${method}(${value})`;
}

/** Objects that say nothing of other properties keep them: a schema that dropped them would change what is written. */
function openObjectText(shape: ObjectForm, indent: number, names: ResourceNames): string {
  const { properties, rest } = shape;
  if (rest === undefined) return objectText(shape, "strictObject", indent, names);
  if (properties.size === 0) return `z.record(z.string(), ${zodText(rest, indent, names)})`;
  if (rest.kind === "unknown") return objectText(shape, "looseObject", indent, names);
  return `${objectText(shape, "object", indent, names)}.catchall(${zodText(rest, indent, names)})`;
}

function objectText({ properties }: ObjectForm, make: string, indent: number, names: ResourceNames): string {
  const fields = [...properties].map(([name, { shape, required }]) => {
    const text = zodText(shape, indent + 2, names);
    return `${propertyKey(name)}: ${required ? text : `${text}.optional()`}`;
  });
  if (fields.length === 0) return `z.${make}({})`;
  const flat = `z.${make}({ ${fields.join(", ")} })`;
  if (make !== "object" && flat.length + indent <= lineWidth && !flat.includes("\n")) return flat;
  const start = " ".repeat(indent);
  return `z.${make}({\n${fields.map((field) => `${start}  ${field},\n`).join("")}${start}})`;
}
