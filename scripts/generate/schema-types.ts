import openapiTS, { astToString } from "openapi-typescript";
import driver from "../../contract/client-suite/driver/driver-protocol.schema.json" with { type: "json" };
import config from "../../contract/config/contract.schema.json" with { type: "json" };
import report from "../../contract/report/contract-report.schema.json" with { type: "json" };
import needs from "../../contract/report/needs.schema.json" with { type: "json" };
import { capitalized } from "../../lib/text.ts";
import tables from "../../openapi/tables.schema.json" with { type: "json" };
import seed from "../../sandbox/seed/seed.schema.json" with { type: "json" };
import { noticeFor } from "../common/notice.ts";
import site from "../docs/config/docs.schema.json" with { type: "json" };
import { literal } from "../document/typescript.ts";

/** JSON Schemas of what is read and written, by the names of their types. The definitions of the last have whole names. */
const roots: Readonly<Record<string, { $schema: string; $defs: object }>> = {
  Config: config,
  Report: report,
  Needs: needs,
  Driver: driver,
  Seed: seed,
  Site: site,
  "": tables,
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
    Object.entries({ ...(name !== "" && { "": root }), ...$defs }).map(([part, schema]) => [
      name + capitalized(part),
      JSON.parse(JSON.stringify(schema), (key, value) => {
        if (key === "$ref") return placed(name, value);
        // The generator makes an unknown type of a choice between required properties.
        return /^(any|one)Of$/.test(key) && value[0].required ? undefined : value;
      }),
    ]),
  );
  const document = {
    openapi: "3.1.0",
    info: { title: "The schemas", version: "1" },
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
  return `// ${noticeFor("the JSON Schemas")}\n\n${constants.join("")}${astToString(nodes)}`;
}

/** A reference within one of the schemas, as one within the document. */
const placed = (name: string, reference: string): string =>
  reference.startsWith("#/$defs/")
    ? `#/components/schemas/${name}${capitalized(reference.slice("#/$defs/".length))}`
    : reference.replace("#/", `#/components/schemas/${name}/`);
