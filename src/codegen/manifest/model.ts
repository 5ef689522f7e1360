/** The checked form of a manifest: what the emitters work from. */

import type { JsonSchema } from "../../json-schema/schema.js";
import type { FromEnvironment, HttpService, HttpVerbs } from "../../resources/connectors/http/definition.js";
import type { McpResourceDefinition } from "../../resources/connectors/mcp.js";
import type { ColumnOptions } from "../../resources/define-resource.js";
import type { ResourceTable, RetryOptions } from "../../resources/resource.js";

/** A manifest after its checks. */
export type Manifest = ServiceManifest | SystemManifest;

interface ManifestBase {
  /** Path below the manifest folder, for headers of generated files. */
  readonly file: string;
  readonly service: string;
  readonly description: string;
}

/** A service whose resources are reached through a connector. */
export interface ServiceManifest extends ManifestBase {
  readonly kind: "service";
  readonly connector: ConnectorModel;
  /** What applies to every resource that does not say otherwise. */
  readonly defaults: CallOptions;
  readonly resources: readonly ResourceModel[];
}

/** Texts by name, as they stand in the manifest or in an environment variable of the program that connects. */
export type TextsOrSecrets = Readonly<Record<string, string | FromEnvironment>>;

/** Where rows come from. */
export type ConnectorModel =
  | ({ readonly kind: "http" } & Omit<HttpService, "service">)
  /** The server is connected by the host (or the CLI, by what the manifest says of it) and handed in. */
  | {
      readonly kind: "mcp";
      readonly server?:
        | {
            readonly command: string;
            readonly args?: readonly string[];
            readonly env?: TextsOrSecrets;
          }
        | { readonly url: string; readonly headers?: TextsOrSecrets };
    }
  /** Code of the host; the generated module types it. */
  | { readonly kind: "module" };

/** Relations of the program itself: declared here, filled by code. */
export interface SystemManifest extends ManifestBase {
  readonly kind: "system";
  readonly relations: readonly {
    readonly name: string;
    readonly description: string;
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly nullable: boolean;
      readonly description: string;
    }[];
  }[];
}

/** What a resource says of how its calls are made; see `ResourceTable`. */
export type CallOptions = Pick<
  ResourceTable,
  "timeoutMs" | "idleTimeoutMs" | "rateLimit" | "concurrency" | "scope" | "ttlMs" | "maxPages"
> & { readonly retry?: Omit<RetryOptions, "isRetryable"> };

/** One resource of a service. */
export interface ResourceModel {
  /** Name in the manifest: `entities`. */
  readonly name: string;
  /** Name of the table: `memory_entities`. */
  readonly table: string;
  /** The resource's name as an SQL name, unlike every other of the service: its module is called so. */
  readonly file: string;
  readonly description: string;
  readonly volatility: "immutable" | "stable" | "volatile";
  readonly row: JsonSchema;
  /** The properties of the row, in its order. */
  readonly columnNames: readonly string[];
  readonly keys: readonly string[];
  readonly keyAlternatives: readonly (readonly string[])[];
  readonly primaryKey: readonly string[];
  /** Column → what the row's schema does not say: operators beyond equality, `exact`, `equality`, flow labels, `argument`. */
  readonly columns: Readonly<Record<string, ColumnOptions>>;
  readonly batch?: ResourceTable["batch"];
  readonly accepts?: ResourceTable["accepts"];
  readonly exact?: boolean;
  readonly idempotent?: ResourceTable["idempotent"];
  readonly calls: CallOptions;
  readonly verbs: ResourceVerbs;
}

/** The verbs, in the form of the service's connector; `module`: only that they are there. */
export type ResourceVerbs =
  | { readonly kind: "http"; readonly verbs: HttpVerbs }
  | { readonly kind: "mcp"; readonly verbs: McpResourceDefinition["verbs"] }
  | { readonly kind: "module"; readonly verbs: readonly VerbName[] };

export type VerbName = "select" | "insert" | "update" | "delete";

/** Something wrong in a manifest, at a place: `manifests/memory.yaml:4:3: …`. */
export interface ManifestProblem {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
}

/** All problems at once: each a line `file:line:col: message`, and one `hint: …` below it where there is one. */
export class ManifestError extends Error {
  constructor(readonly problems: readonly ManifestProblem[]) {
    super(
      problems
        .map(
          ({ file, line, column, message, hint }) =>
            `${file}:${line}:${column}: ${message}${hint === undefined ? "" : `\n  hint: ${hint}`}`,
        )
        .join("\n"),
    );
    this.name = "ManifestError";
  }
}
