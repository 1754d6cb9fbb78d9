import type { Header, OpenApiDocument, Parameter } from "../../document.ts";
import { operationsOf } from "../../operations.ts";
import { resolved } from "../../reference.ts";
import { operationAddress } from "../addresses.ts";
import { code, joined, siteLink } from "../markdown.ts";
import { smallPrint } from "../marks.ts";
import type { Page } from "../page.ts";
import { schemaText } from "../schema/fields.ts";
import { promiseList } from "./promises.ts";

/** How a request is made safe to repeat, and which operations take part. */
export function idempotencyPage(document: OpenApiDocument): Page {
  const parameter = resolved<Parameter>(document, { $ref: "#/components/parameters/IdempotencyKey" });
  const replayed = resolved<Header>(document, { $ref: "#/components/headers/IdempotentReplayed" });
  const keyed = operationsOf(document).filter(({ parameters }) => parameters.includes(parameter));
  return {
    address: "idempotency",
    title: "Idempotency",
    description: "How to repeat a request without doing its work twice, and which operations offer it.",
    text: joined(
      `## The header ${code(parameter.name)}`,
      parameter.description,
      schemaText({ document, prefix: "key" }, parameter.schema),
      smallPrint(parameter),
      "## Operations that take it",
      keyed
        .map(({ id, operation }) => `- ${siteLink(code(id), operationAddress(id))}: ${operation.summary}`)
        .join("\n"),
      "## How an answer shows it",
      `${code("Idempotent-Replayed")}: ${replayed.description}`,
      smallPrint(replayed),
      "## What is promised",
      promiseList(document["x-requirements"].idempotency ?? []),
    ),
  };
}
