/**
 * What an HTTP resource is made of: plain data, as a manifest declares it and generated modules carry it.
 *
 * Templates are those of `../template.ts`. Beside `{column}` they take `{column >=}` (the value of a predicate that was
 * pushed, for a column that declares the operator), `{$limit}` (rows wanted at most), `{$orderBy}` and `{$direction}` (the
 * service's name of the first column ordered by, from `orderBy` of the verb, and `asc` or `desc`), `{$columns}` (names of
 * the columns wanted) and `{$idempotencyKey}` (writes). What has no value is left out with the parameter, header or field
 * it stands in; in a path it is an error.
 *
 * A request names one column to order by: a read that is ordered by more gets neither the order nor a limit, since rows that
 * are wanted could be cut off; both are then worked out here.
 *
 * With `batch: { insert: true }`, one request inserts all rows of a statement: the object `{ $rows: template }` in its body
 * stands for the list of them, one element a row. Columns mentioned outside of it must be the same in all rows.
 */
import type { Template } from "../template.js";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The name of an environment variable; secrets never stand in a manifest. */
export interface FromEnvironment {
  readonly env: string;
}

/** How requests are authorized. */
export type HttpAuth =
  | { readonly kind: "bearer"; readonly token: FromEnvironment }
  | { readonly kind: "basic"; readonly user: FromEnvironment; readonly password: FromEnvironment }
  | { readonly kind: "apiKey"; readonly in: "header" | "query"; readonly name: string; readonly value: FromEnvironment }
  | {
      readonly kind: "oauth2";
      readonly tokenUrl: string;
      readonly clientId: FromEnvironment;
      readonly clientSecret: FromEnvironment;
      readonly scopes?: readonly string[];
      readonly audience?: string;
    };

/** What all resources of one service share. */
export interface HttpService {
  readonly service: string;
  /** Absolute; a path in it is kept before the verbs' paths. May be replaced when the resource is made. */
  readonly baseUrl: string;
  readonly auth?: HttpAuth;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the further pages of a read are asked for. */
export type HttpPaging =
  /** `Link: <…>; rel="next"` (RFC 8288). */
  | { readonly kind: "link" }
  /** The answer names the cursor of the next page at `next`; it is sent as query parameter, or as field of the body (`variables.after`). */
  | { readonly kind: "cursor"; readonly next: string; readonly parameter: string; readonly in?: "query" | "body" }
  /** Pages are numbered; a page shorter than `size` (or an empty one, when there is no size) is the last. */
  | {
      readonly kind: "page";
      readonly parameter: string;
      readonly first?: number;
      readonly sizeParameter?: string;
      readonly size?: number;
    }
  /** Rows are counted. */
  | { readonly kind: "offset"; readonly parameter: string; readonly sizeParameter?: string; readonly size: number }
  /** The answer gives the whole address of the next page at `next`. */
  | { readonly kind: "url"; readonly next: string };

/** What an answer that is no success means. Statuses are numbers or classes such as `5xx`. */
export interface HttpErrors {
  /** No rows instead of an error. Default: `[404]` for reads that hold a value in the path, none for the others and for writes. */
  readonly empty?: readonly number[];
  /** Reads only: worth another attempt; `Retry-After` is honoured. Default `[408, 425, 429, 502, 503, 504]`. */
  readonly retryable?: readonly number[];
  /**
   * JMESPath that is true in an answer of success (2xx) when the service failed all the same: "ok == `false`", or "errors".
   * False are false, null, an empty text, list or object, and nothing at all.
   */
  readonly failed?: string;
  /** Path of the service's own message in the answer. Default: `message`, `error.message`, `error`, `detail`, `title`. */
  readonly message?: string;
}

/** A value of a query parameter: a template; a list is repeated, or joined with `join`. */
export type HttpQueryValue = Template | { readonly value: Template; readonly join: string };

/** How one verb is carried out. */
export interface HttpVerb {
  readonly method: HttpMethod;
  /** Below `baseUrl`, with `{column}`; every value is percent-encoded as one path segment. */
  readonly path: string;
  readonly query?: Readonly<Record<string, HttpQueryValue>>;
  readonly headers?: Readonly<Record<string, Template>>;
  /** JSON body. A write must have a place in its request for every column that it is given. */
  readonly body?: Template;
  /** `application/x-www-form-urlencoded` body instead of `body`. */
  readonly form?: Readonly<Record<string, HttpQueryValue>>;
  readonly page?: HttpPaging;
  /** Where the rows are in the answer: JMESPath, or a path that starts with `$`. Default `@`: the whole. */
  readonly rows?: string;
  /** Column → JMESPath into a row, where it is not the property of the column's name. Default for writes: those of `select`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Column → the service's name of it in `{$orderBy}`. Columns that are listed can be ordered by. */
  readonly orderBy?: Readonly<Record<string, string>>;
  readonly errors?: HttpErrors;
}

/** The verbs of a resource. An update or a delete is one request for one row. */
export interface HttpVerbs {
  readonly select?: HttpVerb;
  readonly insert?: HttpVerb;
  readonly update?: HttpVerb;
  readonly delete?: HttpVerb;
}

/** What a host says when it makes the resources of a service. */
export interface HttpOptions {
  /** Instead of the manifest's. */
  readonly baseUrl?: string;
  /** Where `env` is looked up; default `process.env` where there is one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  readonly headers?: Readonly<Record<string, string>>;
}
