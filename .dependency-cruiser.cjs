// Which folder may import which: the table of ARCHITECTURE.md. Folders of one row do not know each other; a folder
// imports from rows below it. Exceptions are none.
const rows = {
  "src/errors": 0, // everybody may fail
  "src/json-schema": 1,
  "src/types": 2,
  "src/grammar": 2,
  "src/fns": 2,
  "src/functions": 3,
  "src/catalog": 4,
  "src/planner": 5,
  "src/engine": 6,
  "src/backends": 7,
  "src/resources": 7,
  "src/sql.ts": 8,
  "src/database": 8,
  "src/codegen": 8,
  "src/surfaces": 9,
  "src/console": 9,
  "src/index.ts": 10,
  "src/mcp": 10,
  "src/cli": 11,
};

const places = Object.entries(rows);
const pattern = (place) => `^${place.replace(".", "\\.")}${place.endsWith(".ts") ? "$" : "/"}`;

const climbs = places
  .filter(([place, row]) => places.some(([other, otherRow]) => other !== place && otherRow >= row)) // nothing is above the top
  .map(([place, row]) => ({
    name: `no-climbing-from-${place.replace("src/", "")}`,
    severity: "error",
    comment: `${place} stands on row ${row}: it may import only from rows below`,
    from: { path: pattern(place) },
    to: {
      path: places.filter(([other, otherRow]) => other !== place && otherRow >= row).map(([other]) => pattern(other)),
    },
  }));

// What only an entry of its own reaches: files, optional peers. Each entry is a file `door.ts`, or stands in package.json.
const behindDoors = "^src/database/(journal/file-|audit/jsonl-|audit/otel-|policy/read-)";

module.exports = {
  forbidden: [
    ...climbs,
    {
      name: "node-modules-of-the-platform",
      severity: "error",
      comment: "what runs in a browser does not touch node: modules",
      from: { path: "^src/", pathNot: [behindDoors, "^src/(backends|mcp|codegen|console|cli)/"] },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "heavy-peers",
      severity: "error",
      comment: "optional peers stay behind the entries that are for them",
      from: { path: "^src/", pathNot: [behindDoors, "^src/(backends|mcp|codegen|console|cli)/"] },
      to: {
        path: "node_modules/(@electric-sql|pg|@modelcontextprotocol|@opentelemetry|ts-morph|json-schema-to-typescript|yaml)/",
      },
    },
    {
      name: "behind-doors",
      severity: "error",
      comment: "files and optional peers are reached through their own entries only",
      from: { path: "^src/", pathNot: [behindDoors, "^src/database/(journal|audit|policy)/door\\.ts$", "^src/cli/"] },
      to: { path: behindDoors },
    },
    {
      name: "generated-is-data",
      severity: "error",
      comment: "only the catalog's side reads the generated system relations",
      from: { path: "^src/", pathNot: "^src/catalog/" },
      to: { path: "^generated/" },
    },
    {
      name: "only-the-grammar-parses",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/grammar/" },
      to: { path: "node_modules/chevrotain" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".js"] },
  },
};
