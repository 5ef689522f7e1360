/** The door `./http`: resources whose verbs are requests to an HTTP service, as generated modules make them. */

export { defineHttpResource, type HttpDefinition } from "./define-http-resource.js";
export type {
  FromEnvironment,
  HttpAuth,
  HttpErrors,
  HttpMethod,
  HttpOptions,
  HttpPaging,
  HttpQueryValue,
  HttpService,
  HttpVerb,
  HttpVerbs,
} from "./definition.js";
export { HttpError } from "./errors.js";
