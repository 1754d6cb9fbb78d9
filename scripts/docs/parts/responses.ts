import { dereference } from "../../document/references.ts";
import type { OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { schemaText } from "../schema/fields.ts";
import { resolveSchema } from "../schema/resolve-schema.ts";
import { typeText } from "../schema/type.ts";
import { bulletList, code, fieldList, joined, siteLink } from "../text/markdown.ts";
import { operationPath } from "../text/page-paths.ts";
import { smallPrint } from "../text/small-print.ts";
import { assertRendered } from "./assert-rendered.ts";
import { responseHeaders } from "./headers.ts";

/** A response with its status. */
export type StatusResponse = [status: string, response: ResponseObject];

export function responsesOf(document: OpenApiDocument, { responses }: Operation) {
  const all = Object.entries(responses).map(([status, reference]): StatusResponse => {
    const response = dereference<ResponseObject>(document, reference);
    assertRendered("response", response);
    return [status, response];
  });
  return {
    success: all.filter(([status]) => status.startsWith("2")),
    errors: all.filter(([status]) => !status.startsWith("2")),
  };
}

export const statusName = (status: string): string => (status === "2XX" ? "Any 2xx" : status);

/** The fields and headers of the responses of success. */
export const successText = (document: OpenApiDocument, success: readonly StatusResponse[]): string =>
  joined("## Response", ...success.map(([status, response]) => responseText(document, status, response)));

function responseText(document: OpenApiDocument, status: string, response: ResponseObject): string {
  const media = mediaOf(response);
  const body =
    media &&
    joined(
      `Body: ${typeText(document, media.schema)}.`,
      resolveSchema(document, media.schema).schema.description,
      fieldList(schemaText({ document, prefix: status.toLowerCase() }, media.schema)),
    );
  return joined(
    `### ${statusName(status)}`,
    response.description,
    smallPrint(response),
    body,
    responseHeaders(document, status, response),
  );
}

export const mediaOf = (response: ResponseObject) => Object.values(response.content ?? {})[0];

/** What a client can do with the response. */
export function linksText(responses: readonly StatusResponse[]): string {
  type Link = { operationId: string; description: string };
  const links = responses.flatMap(([, { links = {} }]) => Object.values(links as Record<string, Link>));
  const unique = [
    ...new Map(links.map((link) => [`${link.operationId} ${link.description}`, link])).values(),
  ];
  const lines = unique.map(
    ({ operationId, description }) =>
      `${siteLink(code(operationId), operationPath(operationId))}: ${description}`,
  );
  return lines.length === 0 ? "" : joined("## After this request", bulletList(lines));
}
