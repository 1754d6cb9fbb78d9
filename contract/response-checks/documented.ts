import type { OperationId } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { variantOf } from "../../scripts/document/schema-forms.ts";
import {
  document,
  type Header,
  operationsOf,
  type ResponseObject,
  resolve,
  type Schema,
} from "../document.ts";

export interface DocumentedResponse {
  /** The status in the document: `202`, `2XX`. */
  key: string;
  response: ResponseObject & { "x-empty-body"?: boolean };
  /** With their names in lower case, too. */
  headers: { name: string; lower: string; header: Header }[];
  schema: Schema | undefined;
  /** The property that the body has if the request has it, and whether it has; undefined if the request decides nothing. */
  decided?: { property: string; isPresent: boolean };
  /** The operation: it encodes requirements on all its responses. */
  operation: object;
}

const all = new Map(operationsOf(document).map(({ id, operation }) => [id, operation]));

/** The documented response of an operation with a status, in the variant that the body of the request decides, if it is known. */
export function documented(operation: OperationId, status: number, body?: unknown) {
  const found = all.get(operation);
  if (found === undefined) return undefined;
  const key = [String(status), `${String(status)[0]}XX`].find((one) => one in found.responses);
  const reference = found.responses[key ?? ""];
  if (key === undefined || reference === undefined) return undefined;
  const response = resolve<ResponseObject>(document, reference);
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => ({
    name,
    lower: name.toLowerCase(),
    header: resolve<Header>(document, header),
  }));
  const { schema } = response.content?.["application/json"] ?? {};
  return forRequest({ key, response, headers, schema, operation: found }, body);
}

function forRequest(documented: DocumentedResponse, body: unknown): DocumentedResponse {
  const schema = documented.schema && resolve<Schema>(document, documented.schema);
  const property = schema?.["x-variant-by-request"];
  const value = isObject(body) && property !== undefined ? body[property] : null;
  // Whether null means the same as absence is unspecified.
  if (schema === undefined || property === undefined || value === null) return documented;
  const isPresent = value !== undefined;
  return { ...documented, schema: variantOf(schema, isPresent), decided: { property, isPresent } };
}

/** Whether a success may come without a body: its status is unspecified, and so are all properties of its body. */
export function mayOmitBody({ key, schema }: DocumentedResponse): boolean {
  if (key !== "2XX" || schema === undefined) return false;
  const { properties = {}, required = [] } = resolve<Schema>(document, schema);
  return Object.keys(properties).length + required.length === 0;
}

export const documentedSuccesses = (operation: OperationId): ResponseObject[] =>
  Object.entries(all.get(operation)?.responses ?? {})
    .filter(([key]) => key.startsWith("2"))
    .map(([, response]) => resolve<ResponseObject>(document, response));
