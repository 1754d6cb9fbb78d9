import { UserError } from "../../lib/user-error.ts";
import { operationsOf } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import type { Example, Header, OpenApiDocument, Operation, ResponseObject } from "../document/types.ts";

const marks = "x-encodes x-leaves-unspecified";

/** What the pages show of each part of the document, by its keys. Schemas have a table of their own (schema/constraints.ts). */
const shown = {
  operation: `operationId summary description tags deprecated parameters requestBody responses security ${marks}`,
  parameter: `name in required description schema example ${marks}`,
  body: "required description content",
  answer: `description headers content links x-empty-body ${marks}`,
  header: `required description schema example x-operations ${marks}`,
  content: "schema examples",
  example: "summary description value",
};

/** @throws Failure for a key of an operation, or of a part of one, that no page shows: nothing is left out in silence */
export function checkShown(document: OpenApiDocument): void {
  for (const { operation, parameters } of operationsOf(document)) {
    check("operation", operation);
    for (const parameter of parameters) check("parameter", parameter);
    checkBody(document, operation);
    for (const answer of Object.values(operation.responses)) checkAnswer(document, answer);
  }
  for (const answer of Object.values(document["x-gateway-responses"] ?? {})) checkAnswer(document, answer);
}

function checkBody(document: OpenApiDocument, { requestBody }: Operation): void {
  if (requestBody === undefined) return;
  check("body", requestBody);
  checkContent(document, requestBody.content);
}

function checkAnswer(document: OpenApiDocument, reference: Operation["responses"][string]): void {
  const answer = dereference<ResponseObject>(document, reference);
  check("answer", answer);
  for (const header of Object.values(answer.headers ?? {}))
    check("header", dereference<Header>(document, header));
  checkContent(document, answer.content ?? {});
}

function checkContent(document: OpenApiDocument, content: NonNullable<ResponseObject["content"]>): void {
  for (const media of Object.values(content)) {
    check("content", media);
    for (const example of Object.values(media.examples))
      check("example", dereference<Example>(document, example));
  }
}

function check(kind: keyof typeof shown, part: object): void {
  const keys = shown[kind].split(" ");
  const extra = Object.keys(part).find((key) => !keys.includes(key));
  if (extra === undefined) return;
  throw new UserError(
    `the reference shows no ${extra} of this ${kind}: ${JSON.stringify(part).slice(0, 80)}`,
    {
      hint: "Show it in scripts/docs/operation/, then list it in scripts/docs/known.ts.",
    },
  );
}
