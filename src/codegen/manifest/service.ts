/** A service's manifest: its format, its checks, its model. */
import { columnTypeOf } from "../../json-schema/column-type.js";
import { objectShape } from "../../json-schema/object-shape.js";
import type { JsonSchema } from "../../json-schema/schema.js";
import { columnOfField } from "../../resources/columns-from-zod.js";
import { checkResource } from "../../resources/define-resource.js";
import type { ResourceTable } from "../../resources/resource.js";
import { tableName, uniqueNames } from "../../resources/sql-names.js";
import { checkColumnNames } from "./check/columns.js";
import { checkConnector } from "./check/connector.js";
import { checkRow } from "./check/row.js";
import { checkDeclared, checkVerbDocuments, reportRefusal } from "./check/verbs.js";
import { checkFormat } from "./explain-issue.js";
import {
  type ConnectorKind,
  connectorKinds,
  type ResourceDocument,
  resourceFormats,
  serviceFormats,
} from "./format/manifest.js";
import type { ResourceModel, ServiceManifest } from "./model.js";
import type { ManifestSource, Report } from "./source.js";
import { callOptions, connectorModel, resourceModel } from "./to-model.js";
import { verbNames } from "./verbs.js";

/** @returns the model; `undefined` when there is too little to make one. What is wrong has been reported. */
export function readService({ file, data, report }: ManifestSource): ServiceManifest | undefined {
  const kind = connectorKind(data, report);
  if (kind === undefined) return undefined;
  const { resources: said, ...head } = data as Record<string, unknown>;
  // Resources are looked at one by one, so that a mistake in one does not hide those of the others.
  const header = checkFormat(serviceFormats[kind], { ...head, resources: {} }, [], report, kind);
  const resources = isMap(said) ? said : {};
  if (!isMap(said))
    report(
      said === undefined ? [] : ["resources"],
      said === undefined ? '"resources" is missing' : '"resources" must be a map of keys and values',
    );
  else if (Object.keys(resources).length === 0) report(["resources"], "a service needs a resource");
  const service = header?.service ?? "service";
  const names = Object.keys(resources).filter((name) => {
    if (name !== "" && name !== "__proto__") return true;
    report(["resources", name], name === "" ? "a resource needs a name" : `a resource can't be called "${name}"`, {
      key: true,
    });
    return false;
  });
  const tables = uniqueNames(names, (name) => tableName(service, name));
  const files = uniqueNames(names);
  const models = names.map((name) => {
    const named = { name, table: tables.get(name) as string, file: files.get(name) as string };
    return readResource(named, resources[name], kind, report);
  });
  if (header === undefined) return undefined;
  const connector = header.connector;
  checkConnector(connector, ["connector"], report);
  return {
    kind: "service",
    file,
    service,
    description: header.description,
    connector: connectorModel(connector),
    defaults: callOptions(connector),
    resources: models.filter((model) => model !== undefined),
  };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function connectorKind(data: unknown, report: Report): ConnectorKind | undefined {
  if (!isMap(data)) {
    report(
      [],
      data === null || data === undefined ? "the manifest is empty" : "a manifest is a map of keys and values",
      {
        hint: "Begin with service, description, connector and resources.",
      },
    );
    return undefined;
  }
  const { connector } = data;
  const kind = isMap(connector) ? connector.kind : undefined;
  if (connectorKinds.includes(kind as ConnectorKind)) return kind as ConnectorKind;
  const possible = `Possible: ${connectorKinds.join(", ")}.`;
  if (connector === undefined)
    report([], '"connector" is missing', { hint: "Say where the rows come from: connector: { kind: mcp }." });
  else if (kind === undefined) report(["connector"], '"connector" needs a "kind"', { hint: possible });
  else report(["connector", "kind"], `unknown kind of connector: ${JSON.stringify(kind)}`, { hint: possible });
  return undefined;
}

function readResource(
  names: Pick<ResourceModel, "name" | "table" | "file">,
  data: unknown,
  kind: ConnectorKind,
  report: Report,
): ResourceModel | undefined {
  const path = ["resources", names.name];
  let isSound = true;
  const noting: Report = (...problem) => {
    isSound = false;
    report(...problem);
  };
  const document = checkFormat(resourceFormats[kind], data, path, noting, kind) as ResourceDocument | undefined;
  if (document === undefined) return undefined;
  const row = document.row as JsonSchema;
  const columns = checkRow(row, [...path, "row"], noting);
  if (columns.length === 0) return undefined;
  checkColumnNames(document, columns, path, noting);
  checkVerbDocuments(document, columns, path, noting);
  const model = resourceModel(names, document, columns, kind);
  if (!isSound) return model;
  const table = tableOf(model);
  try {
    checkResource(table);
  } catch (error) {
    reportRefusal(error, `resource "${table.name}": `, path, noting);
  }
  checkDeclared(model, table, path, noting);
  return model;
}

/** The table that the generated code will make, with verbs that do nothing: the code's own checks are made on it. */
function tableOf(model: ResourceModel): ResourceTable {
  const { properties, required } = objectShape(model.row, model.row);
  const verbs = Object.fromEntries(verbNames(model).map((verb) => [verb, () => undefined]));
  return {
    name: model.table,
    description: model.description,
    volatility: model.volatility,
    primaryKey: model.primaryKey,
    keyAlternatives: model.keyAlternatives,
    columns: [...properties].map(([name, schema]) => ({
      ...columnOfField(name, columnTypeOf(schema, model.row), {
        isKey: model.keys.includes(name),
        isRequired: required.has(name),
      }),
      ...model.columns[name],
    })),
    ...(model.batch !== undefined && { batch: model.batch }),
    ...(model.accepts !== undefined && { accepts: model.accepts }),
    ...(model.idempotent !== undefined && { idempotent: model.idempotent }),
    ...model.calls,
    ...verbs,
  };
}
