/** Type jsonpath: a path of the SQL/JSON path language. It has no order and no equality; resources do not deliver it. */
import type { TypeOperations } from "../operations.js";
import { JsonPath } from "./jsonpath/ast.js";
import { parsePath } from "./jsonpath/parser.js";
import { pathText } from "./jsonpath/print.js";

export const jsonpathOperations: TypeOperations = {
  input: (text) => parsePath(text),
  output: (value) => pathText(value as JsonPath),
  fromHost: (value) => (typeof value === "string" ? parsePath(value) : value instanceof JsonPath ? value : undefined),
  toHost: (value) => pathText(value as JsonPath),
};
