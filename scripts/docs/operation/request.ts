import type { PlacedOperation } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type {
  Example,
  MediaType,
  OpenApiDocument,
  Parameter,
  Reference,
  Schema,
} from "../../document/types.ts";
import { anchor, code, entry, escaped, joined, jsonBlock } from "../markdown.ts";
import { schemaText } from "../schema/fields.ts";
import { placed, withMarks } from "../schema/resolve.ts";
import { typeWords } from "../schema/type.ts";

/** What a call takes: parts of the path, headers, parameters of the query, and the body by its variants. */
export function requestText(document: OpenApiDocument, { operation, parameters }: PlacedOperation): string {
  const own = parameters.map((parameter) => parameterText(document, parameter));
  return joined(
    own.length === 0 ? "" : joined("## Parameters", fieldList(own.join("\n"))),
    bodyText(document, operation.requestBody),
  );
}

/** A list of fields, marked so that the style sheet can tell it from other lists. */
export const fieldList = (text: string): string => `<div class="fields">\n\n${text}\n\n</div>`;

/** A parameter as an entry of a list. */
export function parameterText(document: OpenApiDocument, parameter: Parameter): string {
  const type = `${typeWords(document, parameter.schema)} in the ${parameter.in}${parameter.required ? ", required" : ""}`;
  const { schema } = placed(document, parameter.schema);
  const prefix = `parameter-${parameter.name}`;
  return entry(
    `${anchor(prefix)}**${code(parameter.name)}** *${type}*`,
    parameter.description,
    valueWords(schema, parameter),
    schemaText({ document, prefix }, withMarks(schema, parameter)),
  );
}

/** What a parameter or a header has as its value, where its own words are of what it is for. */
export const valueWords = ({ description }: Schema, { example }: { example?: unknown }): string =>
  joined(
    description && `The value: ${description}`,
    example === undefined ? "" : `Example: ${code(String(example))}`,
  );

function bodyText(document: OpenApiDocument, body: PlacedOperation["operation"]["requestBody"]): string {
  if (body === undefined) return "";
  return Object.entries(body.content)
    .map(([mediaType, content]) =>
      joined(
        "## Body",
        `${body.description ?? ""} It is sent as ${code(mediaType)}${body.required ? ", and required" : ""}.`,
        placed(document, content.schema).schema.description,
        fieldList(schemaText({ document, prefix: "body" }, content.schema)),
        "## Examples of bodies",
        examplesText(document, content.examples),
      ),
    )
    .join("\n\n");
}

/** Examples by name, each closed until it is asked for. */
export function examplesText(document: OpenApiDocument, examples: MediaType["examples"]): string {
  return Object.entries(examples)
    .map(([name, reference]) =>
      exampleText(name, dereference<Example>(document, reference as Reference<Example>)),
    )
    .join("\n\n");
}

const exampleText = (name: string, { summary, description, value }: Example): string =>
  joined(
    `<details class="example">\n<summary>${escaped(summary ?? name)} <code>${name}</code></summary>`,
    description,
    jsonBlock(value),
    "</details>",
  );
