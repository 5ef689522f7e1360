/** The parameters of an operation: path, query, header, and the fields of its body. */
import { columnTypeOf } from "../../../json-schema/column-type.js";
import { isObjectSchema, objectShape } from "../../../json-schema/object-shape.js";
import { resolveSchema } from "../../../json-schema/resolve.js";
import { elementOf, objectElement } from "../../../json-schema/rows-in.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode } from "../../../json-schema/schema.js";
import type { Parameter, ParameterPlace } from "../operation.js";
import { type OpenApiDocument, type Part, partOf, partsOf, textOf } from "./document.js";

/** What a request takes; or why it can't be made. */
export interface RequestParameters {
  readonly parameters: readonly Parameter[];
  /** Constants: headers with one possible value. */
  readonly headers: ReadonlyMap<string, string>;
  readonly unsupported?: string;
}

/** Headers that the connector sets itself. */
const ownHeaders: readonly string[] = [
  "accept",
  "content-type",
  "authorization",
  "user-agent",
  "content-length",
  "host",
];

/** A body that is sent as a whole, because it is no object. */
export const wholeBody = "";

/**
 * @param item the path's object, whose parameters hold for all its operations
 * @param secrets `place:name` of parameters that carry the connector's secret
 */
export function requestParameters(
  document: OpenApiDocument,
  item: Part,
  operation: Part,
  method: string,
  path: string,
  secrets: ReadonlySet<string>,
): RequestParameters {
  const { root } = document;
  const declared = new Map<string, Part>();
  for (const part of [...partsOf(item["parameters"], root), ...partsOf(operation["parameters"], root)])
    declared.set(`${String(part["in"])}:${String(part["name"])}`, part);
  const parameters: Parameter[] = [];
  const headers = new Map<string, string>();
  for (const [key, part] of declared) {
    const name = textOf(part["name"]);
    const place = String(part["in"]);
    if (name === undefined || place === "cookie" || place === "body" || secrets.has(key.toLowerCase())) continue;
    const schema = schemaOfParameter(part);
    if (place === "header") {
      if (ownHeaders.includes(name.toLowerCase())) continue;
      const constant = constantOf(schema, root);
      if (constant !== undefined) {
        headers.set(name, constant);
        continue;
      }
    }
    if (place === "formData" && part.type === "file") return { parameters, headers, unsupported: "it takes a file" };
    const element = elementOf(schema, root);
    const isScalar = element !== undefined && columnTypeOf(element, root).type !== "jsonb";
    if (place === "query" && isScalar && part.required === (true as unknown)) {
      // A list that has to be given: one value a call, so that a statement says `status = 'open'` or IN.
      const plain = { parameter: name, plain: true };
      parameters.push({
        name,
        place,
        required: true,
        schema: element,
        root,
        inListOf: plain,
        ...described(part, schema, root),
      });
      continue;
    }
    parameters.push({
      name,
      place: place === "formData" ? "form" : (place as ParameterPlace),
      required: part.required === (true as unknown) || place === "path",
      schema,
      root,
      ...described(part, schema, root),
      ...joined(part, schema, root),
    });
  }
  // A placeholder that nobody declared is a text.
  for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!parameters.some((parameter) => parameter.place === "path" && parameter.name === name))
      parameters.push({ name, place: "path", required: true, schema: { type: "string" }, root });
  }
  const keepsId = method === "put" || method === "patch";
  const body = bodyOf(document, operation, [...declared.values()], keepsId);
  if (body.unsupported !== undefined) return { parameters, headers, unsupported: body.unsupported };
  return { parameters: [...parameters, ...body.parameters], headers };
}

/** 2.0 writes the schema's words into the parameter itself; 3 may have it below a media type. */
function schemaOfParameter(part: Part): JsonSchemaNode {
  if (isJsonSchema(part["schema"])) return part["schema"];
  const content = Object.values(partOf(part["content"], part))[0];
  if (isJsonSchema(content) && isJsonSchema(content["schema"])) return content["schema"];
  const { type, format, enum: values, items, default: usual, minimum, maximum } = part;
  return {
    ...(type !== undefined && { type }),
    ...(format !== undefined && { format }),
    ...(values !== undefined && { enum: values }),
    ...(items !== undefined && { items }),
    ...(usual !== undefined && { default: usual }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

function described(part: Part, schema: JsonSchemaNode, root: JsonSchema): { description?: string } {
  const words = textOf(part.description) ?? textOf(resolveSchema(schema, root).description);
  return words === undefined ? {} : { description: words };
}

/** The header's value when there is only one: a version that the document is of. */
function constantOf(schema: JsonSchemaNode, root: JsonSchema): string | undefined {
  const { enum: values, default: usual, const: only } = resolveSchema(schema, root);
  const value = only ?? (values?.length === 1 ? values[0] : usual);
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Lists in a query are repeated by default in 3, joined with commas in 2.0. */
function joined(part: Part, schema: JsonSchemaNode, root: JsonSchema): { join?: string } {
  if (elementOf(schema, root) === undefined) return {};
  const separators: Record<string, string> = {
    csv: ",",
    ssv: " ",
    pipes: "|",
    tsv: "\t",
    form: ",",
    spaceDelimited: " ",
    pipeDelimited: "|",
  };
  const style = part["collectionFormat"] ?? (part["explode"] === false ? (part["style"] ?? "form") : undefined);
  if (style === "multi") return {};
  if (typeof style === "string") return separators[style] === undefined ? {} : { join: separators[style] };
  const isSwagger = part["schema"] === undefined && part["content"] === undefined;
  return isSwagger && part["in"] === "query" ? { join: "," } : {};
}

interface Body {
  readonly parameters: readonly Parameter[];
  readonly unsupported?: string;
}

function bodyOf(
  { version, root }: OpenApiDocument,
  operation: Part,
  declared: readonly Part[],
  keepsId: boolean,
): Body {
  if (version === "2.0") {
    const body = declared.find((part) => part["in"] === "body");
    if (body === undefined) return { parameters: [] };
    const consumes = Array.isArray(operation["consumes"]) ? operation["consumes"] : (root["consumes"] ?? []);
    if (Array.isArray(consumes) && consumes.length > 0 && !consumes.some((type) => isJson(String(type))))
      return { parameters: [], unsupported: `its body is ${consumes.join(", ")}` };
    return {
      parameters: fieldsOf(schemaOfParameter(body), root, "body", body.required === (true as unknown), keepsId),
    };
  }
  if (operation["requestBody"] === undefined) return { parameters: [] };
  const body = partOf(operation["requestBody"], root);
  const content = partOf(body["content"], root);
  const types = Object.keys(content);
  const json = types.find(isJson) ?? types.find((type) => type === "*/*");
  const form = types.find((type) => type.startsWith("application/x-www-form-urlencoded"));
  const chosen = json ?? form;
  if (chosen === undefined) {
    return {
      parameters: [],
      ...(types.length > 0 && { unsupported: `its body is ${types.join(", ")}, neither JSON nor a form` }),
    };
  }
  const schema = partOf(content[chosen], root)["schema"];
  if (!isJsonSchema(schema)) return { parameters: [] };
  return {
    parameters: fieldsOf(
      schema,
      root,
      json === undefined ? "form" : "body",
      body.required === (true as unknown),
      keepsId,
    ),
  };
}

/** Is the media type JSON, or a kind of it? */
export function isJson(type: string): boolean {
  return /^application\/(json|[\w.+-]+\+json)\b/i.test(type) || /^text\/json\b/i.test(type);
}

function fieldsOf(
  schema: JsonSchemaNode,
  root: JsonSchema,
  place: "body" | "form",
  isRequired: boolean,
  keepsId: boolean,
): Parameter[] {
  const row = objectElement(schema, root);
  const element = row ?? schema;
  const { properties, required } = objectShape(element, root);
  const isObject = isObjectSchema(element, root) && properties.size > 0;
  if (!isObject)
    return [
      {
        name: wholeBody,
        columnName: "body",
        place,
        required: isRequired,
        schema,
        root,
        ...described({}, schema, root),
      },
    ];
  return [...properties].flatMap(([name, property]) => {
    // What the service makes itself can be read, and not written; an `id` may still say which row is meant.
    if (resolveSchema(property, root)["readOnly"] === true && !(name === "id" && keepsId)) return [];
    return {
      name,
      place,
      required: required.has(name),
      schema: property,
      root,
      ...described({}, property, root),
      ...(row !== undefined && { inListOf: { parameter: wholeBody, plain: false } }),
    };
  });
}
