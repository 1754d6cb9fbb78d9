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
/** The validators of one answer. */
export interface AnswerCheck {
  body: Check | null;
  headers: Check;
  mayBeEmpty: boolean;
}
/** The request validators by operationId. */
export const requestChecks = requests as unknown as Record<string, { body: Check | null; parameters: Check }>;
/** The answer validators by operationId and status. */
export const answerChecks = responses as unknown as Record<string, Record<string, AnswerCheck>>;
const frontChecks = gatewayResponses as unknown as Record<string, AnswerCheck>;

/** What a validator finds wrong with the data; nothing when it holds. */
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

/** One answer of the document and its validators. */
export interface DocumentedAnswer {
  name: string;
  answer: ResponseObject;
  check: AnswerCheck | undefined;
}
const answered = (
  name: string,
  answers: Record<string, Reference<ResponseObject>>,
  checks: Record<string, AnswerCheck> = {},
) =>
  Object.entries(answers).map(
    ([status, answer]): DocumentedAnswer => ({
      ...{
        name: `${name} ${status}`,
        answer: dereference<ResponseObject>(bundle, answer),
        check: checks[status],
      },
    }),
  );
/** Every answer of the document, those of the front included. */
export const answers: DocumentedAnswer[] = [
  ...operations.flatMap(({ id, operation }) => answered(id, operation.responses, answerChecks[id])),
  ...answered("front", bundle["x-gateway-responses"] ?? {}, frontChecks),
];

/** Headers as the examples of an answer have them, under their names in small letters. */
export const headersOf = (answer: ResponseObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(answer.headers ?? {}).map(([name, header]) => [
      name.toLowerCase(),
      String(dereference<Header>(bundle, header).example),
    ]),
  );

/** The first example of an answer. */
export function firstExample(operation: string, status: string): unknown {
  const placed = operations.find(({ id }) => id === operation);
  const answer = placed?.operation.responses[status] as Reference<ResponseObject>;
  return examplesOf(dereference<ResponseObject>(bundle, answer).content)[0]?.[1];
}
