import { operationsOf } from "../../document/operations.ts";
import { dereference } from "../../document/references.ts";
import type { MediaType, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";

type RequestBody = NonNullable<Operation["requestBody"]>;

/**
 * Completes the operations that an overlay added: each has the security of the document unless it states its own, every
 * body is written out and has a schema and named examples, and the document lists the tags, so that the sidebar has a section for them.
 */
export function completeOperations(document: OpenApiDocument): void {
  const { security = [] } = document as { security?: Operation["security"] };
  for (const { operation } of operationsOf(document)) {
    operation.security ??= security;
    // The contract writes its bodies out, so no page follows a reference here.
    if (operation.requestBody !== undefined)
      operation.requestBody = dereference<RequestBody>(document, operation.requestBody);
    for (const media of bodiesOf(document, operation)) completeBody(media);
    for (const name of operation.tags)
      if (!document.tags.some((tag) => tag.name === name)) document.tags.push({ name });
  }
}

const bodiesOf = (document: OpenApiDocument, { requestBody, responses }: Operation): MediaType[] =>
  [
    requestBody,
    ...Object.values(responses).map((response) => dereference<ResponseObject>(document, response)),
  ].flatMap((owner) => Object.values(owner?.content ?? {}));

function completeBody(media: Partial<MediaType> & { example?: unknown }): void {
  media.schema ??= {};
  media.examples ??= media.example === undefined ? {} : { example: { value: media.example } };
  delete media.example;
}
