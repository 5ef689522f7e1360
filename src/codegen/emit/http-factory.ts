/** Emits the factory of a resource of an HTTP service. */
import type { HttpVerbs } from "../../resources/connectors/http/definition.js";
import { commonDefinition, factoryComment } from "./definition.js";
import type { Factory, ResourceSource } from "./resource.js";
import { serviceConstant, serviceModule } from "./service.js";
import { fieldLines, literalText } from "./text.js";

export function httpFactory({ manifest, resource, names }: ResourceSource, verbs: HttpVerbs): Factory {
  const definition = { ...commonDefinition(manifest, resource), verbs };
  const service = serviceConstant(manifest);
  return {
    imports: [
      'import type { ResourceTable } from "glove-scratchpad";',
      'import { defineHttpResource, type HttpOptions } from "glove-scratchpad/http";',
      `import { ${service} } from "./${serviceModule}.js";`,
    ],
    text: `${factoryComment(resource, `@param options where the service and its secrets are, when not where the manifest says`)}export function ${names.factory}(options?: HttpOptions): ResourceTable {
  return defineHttpResource(
    ${service},
    {
${fieldLines(definition, 6)}    },
    ${names.schema},
    ${literalText(resource.keys)},
    options,
  );
}
`,
  };
}
