import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import { headerNames } from "../../document/responses.ts";
import type { Header, OpenApiDocument, Parameter } from "../../document/types.ts";
import { headerEntry } from "../parts/headers.ts";
import { parameterEntry } from "../parts/request.ts";
import { bulletList, code, fieldList, joined, siteLink } from "../text/markdown.ts";
import { kebab, operationPath, requirementPath } from "../text/page-paths.ts";
import type { Page } from "./page.ts";

export function idempotencyPage(document: OpenApiDocument): Page {
  const parameter = dereference<Parameter>(document, {
    $ref: "#/components/parameters/IdempotencyKeyParameter",
  });
  const replayed = dereference<Header>(document, { $ref: "#/components/headers/IdempotentReplayed" });
  const name = headerNames(document).get("IdempotentReplayed") ?? "";
  const operations = operationsOf(document).filter(({ parameters }) => parameters.includes(parameter));
  const requirements = document["x-requirements"].idempotency ?? [];
  return {
    path: "idempotency",
    title: "Idempotency",
    description: "How to retry a request without sending twice, and which operations support it.",
    text: joined(
      "## Request header",
      fieldList(parameterEntry(document, parameter)),
      "## Operations",
      bulletList(
        operations.map(
          ({ id, operation }) => `${siteLink(code(id), operationPath(id))}: ${operation.summary}`,
        ),
      ),
      "## Response header",
      fieldList(headerEntry(document, { id: kebab(name), name }, replayed)),
      "## Requirements",
      bulletList(requirements.map(({ id, text }) => `${siteLink(id, requirementPath(id))}: ${text}`)),
    ),
  };
}
