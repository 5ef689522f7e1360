/** The build: one bundle a published entry, with shared chunks. */
import { defineConfig } from "tsup";

// One build for all entries: shared code lands in shared chunks, Chevrotain and the small pure libraries are bundled,
// the heavy optional peers stay imports of the user's own installation.
export default defineConfig({
  entry: {
    index: "src/index.ts",
    sql: "src/sql.ts",
    "mcp/index": "src/mcp/index.ts",
    "mcp/client/functions": "src/mcp/client/functions.ts",
    "fns/index": "src/fns/index.ts",
    "http/index": "src/resources/connectors/http/index.ts",
    "database/audit/door": "src/database/audit/door.ts",
    "database/journal/door": "src/database/journal/door.ts",
    "database/policy/door": "src/database/policy/door.ts",
    "database/audit/otel-sink": "src/database/audit/otel-sink.ts",
    "backends/pglite": "src/backends/pglite.ts",
    "generated/index": "generated/index.ts",
    "cli/glove-scratchpad": "src/cli/glove-scratchpad.ts",
    "cli/glove-gen": "src/cli/glove-gen.ts",
  },
  format: ["esm"],
  target: "node20",
  platform: "neutral",
  esbuildOptions(options) {
    options.mainFields = ["module", "main"];
  },
  splitting: true,
  clean: ["!types/**"], // the declarations are of the compiler; a rebuild for the demo leaves them
  dts: false, // tsc writes the declarations: a bundle of them takes minutes
  sourcemap: false,
  treeshake: true,
  external: [
    "zod",
    "@modelcontextprotocol/client",
    "@modelcontextprotocol/client/stdio",
    "@electric-sql/pglite",
    "@opentelemetry/api",
    "pg",
    "ts-morph",
    "json-schema-to-typescript",
    "yaml",
    /^node:/,
  ],
  noExternal: ["chevrotain", "@jmespath-community/jmespath", "cac"],
});
