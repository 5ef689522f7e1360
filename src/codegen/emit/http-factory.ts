/** Emits the factory of a resource of an HTTP service. */
import type { HttpVerbs } from "../../resources/connectors/http/definition.js";
import { commonDefinition, factoryComment } from "./definition.js";
import type { Factory, ResourceSource } from "./resource.js";
import { serviceConstant, serviceModule } from "./service.js";
import { fieldLines, literalText } from "./text.js";

export function httpFactory(source: ResourceSource, verbs: HttpVerbs): Factory {
  const { manifest, resource, names } = source;
  const definition = { ...commonDefinition(manifest, resource), verbs };
  const service = serviceConstant(manifest);
  return {
    imports: {
      "glove-scratchpad/http": ["defineHttpResource", "type HttpOptions"],
      [`./${serviceModule}.js`]: [service],
    },
    comment: factoryComment(
      source,
      "@param options where the service and its secrets are, when not where the manifest says",
    ),
    parameters: "options?: HttpOptions",
    body: `defineHttpResource(
      ${service},
      {
${fieldLines(definition, 8)}      },
      ${names.schema},
      ${literalText(resource.keys)},
      options,
    )`,
  };
}
