import { operationsOf } from "../../document/operations.ts";
import type { OpenApiDocument, Schema } from "../../document/types.ts";
import { schemaText } from "../schema/fields.ts";
import { typeText } from "../schema/type.ts";
import { anchor, code, entry, fieldList, joined, operationLinks } from "../text/markdown.ts";
import { kebab, schemaPath } from "../text/page-paths.ts";
import type { Page } from "./page.ts";
import { schemasUsedBy } from "./schema-users.ts";

/** A page for each schema with a title, and one for all others. */
export function objectPages(document: OpenApiDocument): Page[] {
  const schemas = Object.entries(document.components.schemas ?? {});
  const used = operationsOf(document).map((placed) => ({
    id: placed.id,
    schemas: schemasUsedBy(document, placed),
  }));
  const pages = schemas.flatMap(([name, schema]) => {
    const users = used.filter((operation) => operation.schemas.has(name)).map(({ id }) => id);
    return schema.title === undefined ? [] : [objectPage(document, name, schema, users)];
  });
  return [
    ...pages,
    valuesPage(
      document,
      schemas.filter(([, { title }]) => title === undefined),
    ),
  ];
}

function objectPage(document: OpenApiDocument, name: string, schema: Schema, users: string[]): Page {
  return {
    path: schemaPath(name, schema),
    title: String(schema.title),
    description: `${schema.title} (schema ${name}): fields, types and constraints.`,
    text: joined(
      schema.description,
      `Schema: ${code(name)}`,
      users.length === 0 ? "No operation uses it." : `Operations: ${operationLinks(users)}`,
      "## Fields",
      fieldList(schemaText({ document, prefix: "field" }, { $ref: `#/components/schemas/${name}` })),
    ),
  };
}

function valuesPage(document: OpenApiDocument, values: [string, Schema][]): Page {
  const entries = values.map(([name, schema]) =>
    entry(
      `${anchor(kebab(name))}**${code(name)}** *${typeText(document, schema)}*`,
      schema.description ?? "",
      schemaText({ document, prefix: kebab(name) }, schema),
    ),
  );
  return {
    path: "objects/values",
    title: "Simple values",
    description: "The named strings, numbers and arrays of the document: meaning and constraints.",
    text: joined("The schemas that objects are made of, by name.", fieldList(...entries)),
  };
}
