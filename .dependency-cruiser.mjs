// The imports that are allowed between folders. Data flows one way: openapi -> generated -> client, sandbox, contract suite.
const only = (name, from, to, comment) => ({
  name,
  severity: "error",
  comment,
  from: { path: from },
  to: { pathNot: [...to, "node_modules", "^package\\.json$"], dependencyTypesNot: ["core"] },
});

/** @type {import("dependency-cruiser").IConfiguration} */
// biome-ignore lint/style/noDefaultExport: dependency-cruiser reads its configuration from the default export
export default {
  forbidden: [
    {
      name: "no-cycles-between-files",
      severity: "error",
      comment: "Move what both files need to a third one.",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-cycles-between-folders",
      severity: "error",
      scope: "folder",
      comment: "Move the file to the folder that uses it, or what both folders need to a third one.",
      from: {},
      to: { circular: true },
    },
    only(
      "lib-knows-nothing",
      "^lib/",
      ["^lib/"],
      "lib/ holds general helpers without any knowledge of this project.",
    ),
    only("generated-is-data", "^generated/", ["^generated/"], "Generated files import nothing hand-written."),
    only(
      "client",
      "^client/src/",
      ["^client/src/", "^generated/client/"],
      "The client reads what is generated for it alone.",
    ),
    only(
      "sandbox",
      "^sandbox/",
      ["^sandbox/", "^generated/", "^lib/"],
      "The sandbox reads the generated data, never the document's sources.",
    ),
    only(
      "sandbox-domain",
      "^sandbox/domain/",
      ["^sandbox/domain/", "^generated/", "^lib/"],
      "The rules of the service know neither HTTP nor the store.",
    ),
    only(
      "contract-suite",
      "^contract/",
      ["^contract/", "^generated/", "^lib/", "^scripts/document/"],
      "The suite knows a server by its URL and its keys alone.",
    ),
    only(
      "lint-rules",
      "^openapi/",
      ["^openapi/", "^scripts/document/", "^lib/"],
      "A lint rule reads the document through the document library.",
    ),
    only(
      "document-library",
      "^scripts/document/",
      ["^scripts/(document|common)/", "^generated/schema-types\\.ts$", "^lib/"],
      "The document library serves every command and knows none; the types of the tables are those of their schema.",
    ),
    {
      name: "products-import-no-tests",
      severity: "error",
      comment: "Tests import the code, never the other way round.",
      from: { path: "^(scripts|contract|sandbox|lib|client|openapi)/" },
      to: { path: "^test/" },
    },
    {
      name: "package-imports-dependencies",
      severity: "error",
      comment: "The installed package has no devDependencies; vitest is an optional peer.",
      from: { path: "^(lib|sandbox|contract|client/src)/", pathNot: "^contract/vitest\\.ts$" },
      to: { dependencyTypes: ["npm-dev"] },
    },
    {
      name: "resolvable",
      severity: "error",
      comment: "The imported file does not exist.",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "import", "node", "default"],
    },
  },
};
