import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { Header, OpenApiDocument, Parameter } from "../../document/types.ts";
import { kebab, operationAddress } from "../addresses.ts";
import { code, joined, siteLink } from "../markdown.ts";
import { headerNames } from "../operation/header-names.ts";
import { headerEntry } from "../operation/headers.ts";
import { fieldList, parameterText } from "../operation/request.ts";
import type { Page } from "../page.ts";
import { promiseList } from "./promises.ts";

/** How a request is made safe to repeat, and which operations take part. */
export function idempotencyPage(document: OpenApiDocument): Page {
  const parameter = dereference<Parameter>(document, { $ref: "#/components/parameters/IdempotencyKey" });
  const replayed = dereference<Header>(document, { $ref: "#/components/headers/IdempotentReplayed" });
  const names = headerNames(document, replayed);
  const keyed = operationsOf(document).filter(({ parameters }) => parameters.includes(parameter));
  return {
    address: "idempotency",
    title: "Idempotency",
    description: "How to repeat a request without doing its work twice, and which operations offer it.",
    text: joined(
      "## The header",
      fieldList(parameterText(document, parameter)),
      "## Operations that take it",
      keyed
        .map(({ id, operation }) => `- ${siteLink(code(id), operationAddress(id))}: ${operation.summary}`)
        .join("\n"),
      "## How an answer shows it",
      fieldList(names.map((name) => headerEntry(document, { id: kebab(name), name }, replayed)).join("\n")),
      "## What is promised",
      promiseList(document["x-requirements"].idempotency ?? []),
    ),
  };
}
