import document from "../../generated/openapi.json" with { type: "json" };
import { requests, type ValidationError } from "../../generated/validators/requests.js";
import { gatewayResponses, responses } from "../../generated/validators/responses.js";
import { operationsOf } from "../../scripts/document/operations.ts";
import { dereference } from "../../scripts/document/references.ts";
import type {
  Example,
  Header,
  MediaType,
  OpenApiDocument,
  Reference,
  ResponseObject,
} from "../../scripts/document/types.ts";

/** The bundle as it is committed. */
export const bundle = document as unknown as OpenApiDocument;
/** Every operation of the document. */
export const operations = operationsOf(bundle);

type Check = ((data: never) => boolean) & { errors: ValidationError[] | null };
/** The validators of one response. */
export interface ResponseCheck {
  body: Check | null;
  headers: Check;
  mayBeEmpty: boolean;
}
/** The request validators by operationId. */
export const requestChecks = requests as unknown as Record<string, { body: Check | null; parameters: Check }>;
/** The response validators by operationId and status. */
export const responseChecks = responses as unknown as Record<string, Record<string, ResponseCheck>>;
const gatewayChecks = gatewayResponses as unknown as Record<string, ResponseCheck>;

/** The errors of a validator for the data; none if it is valid. */
export function errorsOf(check: Check | null | undefined, data: unknown): ValidationError[] {
  if (check === null || check === undefined) throw new Error("there is no such validator");
  return check(data as never) ? [] : (check.errors ?? []);
}

/** The named examples of a body. */
export function examplesOf(content: Record<string, MediaType> | undefined): [string, unknown][] {
  return Object.entries(content?.["application/json"]?.examples ?? {}).map(([name, example]) => [
    name,
    dereference<Example>(bundle, example).value,
  ]);
}

/** One response of the document and its validators. */
export interface DocumentedResponse {
  name: string;
  response: ResponseObject;
  check: ResponseCheck | undefined;
}
const documentedIn = (
  name: string,
  byStatus: Record<string, Reference<ResponseObject>>,
  checks: Record<string, ResponseCheck> = {},
) =>
  Object.entries(byStatus).map(
    ([status, response]): DocumentedResponse => ({
      name: `${name} ${status}`,
      response: dereference<ResponseObject>(bundle, response),
      check: checks[status],
    }),
  );
/** Every response of the document, including gateway responses. */
export const documentedResponses: DocumentedResponse[] = [
  ...operations.flatMap(({ id, operation }) => documentedIn(id, operation.responses, responseChecks[id])),
  ...documentedIn("gateway", bundle["x-gateway-responses"] ?? {}, gatewayChecks),
];

/** The example values of a response's headers, by name in lower case. */
export const headersOf = (response: ResponseObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(response.headers ?? {}).map(([name, header]) => [
      name.toLowerCase(),
      String(dereference<Header>(bundle, header).example),
    ]),
  );

/** The first example of a response. */
export function firstExample(operation: string, status: string): unknown {
  const placed = operations.find(({ id }) => id === operation);
  const response = placed?.operation.responses[status] as Reference<ResponseObject>;
  return examplesOf(dereference<ResponseObject>(bundle, response).content)[0]?.[1];
}
