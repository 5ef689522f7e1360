/** Tools of an MCP server as operations: what they do, what they take, what they answer. */
import { columnTypeOf } from "../../../json-schema/column-type.js";
import { objectShape } from "../../../json-schema/object-shape.js";
import { elementOf, objectElement } from "../../../json-schema/rows-in.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode } from "../../../json-schema/schema.js";
import { answerOf } from "../answer.js";
import { readName, withoutServiceWords } from "../classify.js";
import type { Action, Answer, Operation, Parameter } from "../operation.js";
import { singular, wordsOf } from "../words.js";
import { inferSchema } from "./infer-schema.js";
import { dataOfAnswer, type ImportedTool, type ToolAnswer } from "./tools.js";

/** Names of parameters that hold the rows to write, whatever the rows are. */
const listNames: readonly string[] = ["inputs", "items", "rows", "records", "entries", "objects"];

/**
 * @param service the server's short name
 * @param samples recorded answers by tool; used where a tool has no output schema
 */
export function operationsOfTools(
  tools: readonly ImportedTool[],
  service: string,
  samples: ReadonlyMap<string, readonly ToolAnswer[]>,
): Operation[] {
  const words = withoutServiceWords(
    tools.map((tool) => wordsOf(tool.name)),
    wordsOf(service),
  );
  const operations = tools.map((tool, index) => operationOf(tool, words[index], samples.get(tool.name) ?? []));
  return operations.flatMap((operation) => partsOf(operation, operations));
}

function operationOf(tool: ImportedTool, words: readonly string[], samples: readonly ToolAnswer[]): Operation {
  const read = readName(words);
  const hint = tool.annotations?.readOnlyHint;
  const isReadName = ["list", "search", "get"].includes(read.action);
  const notes: string[] = [];
  if (typeof hint !== "boolean" && isReadName) {
    notes.push(
      `tool ${tool.name} does not say whether it only reads (readOnlyHint); taken for a read because of its name`,
    );
  }
  const reads = typeof hint === "boolean" ? hint : isReadName;
  if (reads && !isReadName && read.action !== "other")
    notes.push(`tool ${tool.name} says that it only reads (readOnlyHint), though its name does not`);
  const root = isJsonSchema(tool.inputSchema) ? tool.inputSchema : {};
  return {
    id: tool.name,
    action: read.action,
    entity: read.entity,
    reads,
    description: (tool.description ?? tool.title ?? "").trim(),
    parameters: parametersOf(root, read.action, read.entity, reads),
    answer: answerOfTool(tool, read.entity, samples),
    notes: [...notes, ...pagingNotes(tool.name, root, reads)],
  };
}

function parametersOf(root: JsonSchema, action: Action, entity: readonly string[], reads: boolean): Parameter[] {
  const shape = objectShape(root, root);
  const all = [...shape.properties];
  const rows =
    reads || action === "other"
      ? undefined
      : all.find(
          ([name, schema]) =>
            shape.required.has(name) &&
            (all.length === 1 || holdsRows(name, schema, root, entity)) &&
            objectElement(schema, root) !== undefined,
        );
  const plainLists = all.filter(([name, schema]) => shape.required.has(name) && isPlainList(schema, root));
  const list = reads || action === "delete" ? (plainLists.length === 1 ? plainLists[0] : undefined) : undefined;
  return all.flatMap(([name, schema]): Parameter[] => {
    if (name === rows?.[0]) return rowParameters(name, schema, root);
    const required = shape.required.has(name);
    if (name === list?.[0]) {
      const element = elementOf(schema, root) as JsonSchemaNode;
      return [
        {
          name: singularName(name),
          place: "argument",
          required,
          schema: withWords(element, schema),
          root,
          inListOf: { parameter: name, plain: true },
        },
      ];
    }
    return [{ name, place: "argument", required, schema, root }];
  });
}

/** `entities` of `create_entities`: a list of the things that are written. */
function holdsRows(name: string, schema: JsonSchemaNode, root: JsonSchema, entity: readonly string[]): boolean {
  if (objectElement(schema, root) === undefined) return false;
  const own = singularName(name);
  return listNames.includes(name) || own === entity.join("_") || own === entity.at(-1);
}

function rowParameters(list: string, schema: JsonSchemaNode, root: JsonSchema): Parameter[] {
  const element = objectElement(schema, root) as JsonSchemaNode;
  const { properties, required } = objectShape(element, root);
  return [...properties].map(([name, property]) => ({
    name,
    place: "argument",
    required: required.has(name),
    schema: property,
    root,
    inListOf: { parameter: list, plain: false },
  }));
}

function isPlainList(schema: JsonSchemaNode, root: JsonSchema): boolean {
  const element = elementOf(schema, root);
  return element !== undefined && columnTypeOf(element, root).type !== "jsonb";
}

/** The words of the list stand for its elements, which seldom have any. */
function withWords(element: JsonSchemaNode, list: JsonSchemaNode): JsonSchemaNode {
  if (!isJsonSchema(element) || !isJsonSchema(list) || element.description !== undefined) return element;
  return list.description === undefined ? element : { ...element, description: list.description };
}

function singularName(name: string): string {
  const words = wordsOf(name);
  return words.map((word, index) => (index === words.length - 1 ? singular(word) : word)).join("_");
}

function answerOfTool(
  tool: ImportedTool,
  entity: readonly string[],
  samples: readonly ToolAnswer[],
): Answer | undefined {
  if (isJsonSchema(tool.outputSchema)) {
    const answer = answerOf(tool.outputSchema, tool.outputSchema, entity);
    if (answer !== undefined) return answer;
  }
  const data = samples.map(dataOfAnswer);
  // One answer in words is enough to know that the tool does not always answer in JSON.
  if (data.length === 0 || data.includes(undefined)) return undefined;
  const schema = inferSchema(data);
  const answer = answerOf(schema, schema, entity);
  return answer === undefined ? undefined : { ...answer, sampled: true };
}

/** A tool that answers a page at a time gives the first one when it is not asked for another. */
function pagingNotes(tool: string, root: JsonSchema, reads: boolean): string[] {
  if (!reads) return [];
  const paging = [...objectShape(root, root).properties.keys()].filter((name) =>
    /^(page|page_number|cursor|start_cursor|after|offset|start_at|page_token|next_page_token|next_token)$/.test(
      wordsOf(name).join("_"),
    ),
  );
  if (paging.length === 0) return [];
  return [
    `tool ${tool} answers a page at a time: a call gives the page that ${paging.join(", ")} ask${paging.length === 1 ? "s" : ""} for, the first one by default`,
  ];
}

/**
 * A read that answers several lists (`read_graph`: entities and relations) reads each of the things that other tools
 * write: one operation a list.
 */
function partsOf(operation: Operation, all: readonly Operation[]): Operation[] {
  const { answer, reads, parameters } = operation;
  if (!reads || answer === undefined || answer.path.length > 0 || answer.plain) return [operation];
  if (parameters.some((parameter) => parameter.required)) return [operation];
  const lists = [...objectShape(answer.row, answer.root).properties].flatMap(([name, property]) => {
    const row = objectElement(property, answer.root);
    return row === undefined ? [] : [{ name, row }];
  });
  const written = lists.filter(({ name }) => {
    const entity = singularName(name);
    const others = all.filter((other) => other.entity.join("_") === entity);
    return others.some((other) => !other.reads) && !others.some((other) => other.reads);
  });
  if (written.length < 2 || written.length !== lists.length) return [operation];
  return written.map(({ name, row }) => ({
    ...operation,
    action: "list" as const,
    entity: singularName(name).split("_"),
    description: `The ${name} that ${operation.id} gives. ${operation.description}`,
    answer: { ...answer, path: [name], row, many: true },
  }));
}
