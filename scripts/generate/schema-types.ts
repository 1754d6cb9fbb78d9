import openapiTS, { astToString } from "openapi-typescript";
import config from "../../contract/config/contract.schema.json" with { type: "json" };
import report from "../../contract/report/contract-report.schema.json" with { type: "json" };
import { traceNotice } from "../common/notice.ts";
import { literal } from "./print.ts";

/** The JSON Schemas of files that the suite reads and writes, by the names of their types. */
const roots: Readonly<Record<string, { $schema: string; $defs: object }>> = {
  Config: config,
  Report: report,
};

/** The names of settings, for code that goes through all of them. */
const lists = {
  profiles: config.properties.profile.enum,
  omissible: config.properties.without.items.enum,
  roles: Object.keys(config.properties.keys.properties),
  hookNames: Object.keys(config.properties.hooks.properties),
};

/** The TypeScript types of the schemas: `Config`, and `ConfigContact` for its definition `contact`. */
export async function schemaTypesFile(): Promise<string> {
  const schemas = Object.entries(roots).flatMap(([name, { $defs, $schema: _, ...root }]) =>
    Object.entries({ "": root, ...$defs }).map(([part, schema]) => [
      name + capital(part),
      JSON.parse(JSON.stringify(schema), (key, value) => (key === "$ref" ? placed(name, value) : value)),
    ]),
  );
  const document = {
    openapi: "3.1.0",
    info: { title: "The schemas of the suite", version: "1" },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
  const nodes = await openapiTS(document, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  const constants = Object.entries(lists).map(
    ([name, values]) => `export const ${name} = ${literal(values)} as const;\n`,
  );
  return `// ${traceNotice}\n\n${constants.join("")}${astToString(nodes)}`;
}

/** A reference within one of the schemas, as one within the document. */
const placed = (name: string, reference: string): string =>
  reference.startsWith("#/$defs/")
    ? `#/components/schemas/${name}${capital(reference.slice("#/$defs/".length))}`
    : reference.replace("#/", `#/components/schemas/${name}/`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
