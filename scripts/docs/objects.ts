import { operationsOf } from "../document/operations.ts";
import type { OpenApiDocument, Schema } from "../document/types.ts";
import { kebab, schemaAddress } from "./addresses.ts";
import { anchor, code, entry, joined, operationLinks } from "./markdown.ts";
import { fieldList } from "./operation/request.ts";
import type { Page } from "./page.ts";
import { schemaText } from "./schema/fields.ts";
import { typeWords } from "./schema/type.ts";
import { type Uses, usesOf } from "./uses.ts";

/** A page for each object of the document, and one for all its simple values. */
export function objectPages(document: OpenApiDocument): Page[] {
  const schemas = Object.entries(document.components.schemas ?? {});
  const uses = usesOf(document);
  const objects = schemas.filter(([, schema]) => schema.title !== undefined);
  const values = schemas.filter(([, schema]) => schema.title === undefined);
  return [
    ...objects.map(([name, schema]) => objectPage(document, uses, name, schema)),
    valuesPage(document, values),
  ];
}

function objectPage(document: OpenApiDocument, uses: Uses, name: string, schema: Schema): Page {
  return {
    address: schemaAddress(name, schema),
    title: String(schema.title),
    description: `${String(schema.title)} (${name} in the contract): its fields, their types and bounds.`,
    text: joined(
      schema.description,
      `In the contract it is called ${code(name)}.`,
      usedText(document, uses, name),
      "## Fields",
      fieldList(schemaText({ document, prefix: "field" }, { $ref: `#/components/schemas/${name}` })),
    ),
  };
}

/** Where an object is met: the operations that take it or answer with it. */
function usedText(document: OpenApiDocument, uses: Uses, name: string): string {
  const using = operationsOf(document).flatMap(({ id }) => (uses(id, name) ? [id] : []));
  return using.length === 0
    ? "No operation of this document uses it."
    : `Operations: ${operationLinks(using)}.`;
}

function valuesPage(document: OpenApiDocument, values: [string, Schema][]): Page {
  const entries = values.map(([name, schema]) =>
    entry(
      `${anchor(kebab(name))}**${code(name)}** *${typeWords(document, schema)}*`,
      schema.description ?? "",
      schemaText({ document, prefix: kebab(name) }, schema),
    ),
  );
  return {
    address: "objects/values",
    title: "Simple values",
    description:
      "The strings, numbers and lists that the contract names: what they mean and which bounds they have.",
    text: joined(
      "What fields are made of, by the names that the contract has for it.",
      fieldList(entries.join("\n")),
    ),
  };
}
