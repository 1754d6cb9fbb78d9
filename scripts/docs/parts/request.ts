import type { PlacedOperation } from "../../document/operations.ts";
import type { OpenApiDocument, Parameter } from "../../document/types.ts";
import { sampleRows } from "../samples/languages.ts";
import { fieldEntry, presenceChip, resolveSchema, schemaText } from "../schema/fields.ts";
import { code, fieldList, joined } from "../text/markdown.ts";
import { assertRendered, bodyExamples } from "./examples.ts";

export function requestText(document: OpenApiDocument, placed: PlacedOperation): string {
  // Its example is the key of the sample.
  const key = sampleRows[placed.id]?.key;
  const parameters = placed.parameters.map((one) =>
    parameterEntry(document, key && one.name === "Idempotency-Key" ? { ...one, example: key } : one),
  );
  return joined(
    parameters.length === 0 ? "" : joined("## Parameters", fieldList(...parameters)),
    bodyText(document, placed),
  );
}

const kinds = { path: "path parameter", query: "query parameter", header: "header" };

export function parameterEntry(document: OpenApiDocument, parameter: Parameter): string {
  assertRendered("parameter", parameter);
  return fieldEntry({ document, prefix: `parameter-${parameter.name}` }, parameter.schema, {
    name: code(parameter.name),
    kind: kinds[parameter.in],
    owner: parameter,
    presence: presenceChip(parameter.required),
  });
}

function bodyText(document: OpenApiDocument, { operation: { requestBody } }: PlacedOperation): string {
  if (requestBody === undefined) return "";
  assertRendered("requestBody", requestBody);
  const { description = "", required, content } = requestBody;
  const parts = Object.entries(content).map(([mediaType, media]) =>
    joined(
      "## Body",
      `${description} Media type: ${code(mediaType)}.${required ? " Required." : ""}`.trim(),
      resolveSchema(document, media.schema).schema.description,
      fieldList(schemaText({ document, prefix: "body" }, media.schema)),
      bodyExamples(document, media),
    ),
  );
  return joined(...parts);
}
