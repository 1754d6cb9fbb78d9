import { operations } from "../../../generated/operations.ts";
import { gatewayResponses } from "../../../generated/validators/responses.js";
import { type Exchange, isSuccess } from "../exchange.ts";
import { describeErrors, type ValidationError } from "../validation-errors.ts";
import { bodyFindings } from "./body.ts";
import { type DocumentedResponse, documented, documentedSuccesses } from "./documented.ts";
import { encodedIn } from "./encoded.ts";
import { errorFindings, errorInformation } from "./errors.ts";
import { finding, type ResponseFinding } from "./finding.ts";
import { generalHeaderFindings, headerFindings } from "./headers.ts";
import { timesAreInUtc } from "./times.ts";
import { unknownParts } from "./unknown.ts";

/**
 * Holds an answer against everything that holds for every answer: the document's schema and headers for it, the request id, the
 * shape of errors, JSON, times in UTC.
 *
 * @param requestIds those of the answers before, to which that of this one is added; null where answers are examples with one id
 */
export function checkResponse(
  exchange: Exchange,
  requestIds: Set<string> | null,
): { tallies: ResponseFinding[]; information: string[] } {
  const { operation } = exchange.request;
  const answer = operation === undefined ? undefined : documented(operation, exchange.status);
  return {
    tallies: [
      ...labelled(exchange, answer),
      ...generalHeaderFindings(exchange, requestIds),
      ...errorFindings(exchange),
      ...timesAreInUtc(exchange),
      ...(answer === undefined ? [] : described(exchange, answer)),
      ...undocumented(exchange, answer),
      ...front(exchange),
    ],
    information: [
      ...errorInformation(exchange),
      ...(answer === undefined ? [] : unknownParts(exchange, answer)),
    ],
  };
}

const mayBeEmpty = (exchange: Exchange): boolean => exchange.status === 500 && exchange.json === undefined;

function described(exchange: Exchange, answer: DocumentedResponse): ResponseFinding[] {
  const headers = headerFindings(exchange, answer);
  // Errors have their own laws, the same for every operation.
  return isSuccess(exchange) ? [...headers, ...bodyFindings(exchange, answer)] : headers;
}

function labelled(exchange: Exchange, answer: DocumentedResponse | undefined): ResponseFinding[] {
  if (mayBeEmpty(exchange) || exchange.status >= 502) return [];
  if (exchange.text === "" && answer?.schema === undefined && isSuccess(exchange)) return [];
  const type = exchange.headers["content-type"];
  const isJson = exchange.json !== undefined && /^application\/json *(;|$)/i.test(type ?? "");
  return [
    finding(["GEN-4"], "an answer has a JSON body, labelled as JSON", isJson, {
      expected: "a JSON body with content-type: application/json",
      found: exchange.json === undefined ? "a body that is not JSON" : `content-type: ${type ?? "none"}`,
    }),
  ];
}

/** A success with another status than those that the document names for the operation. */
function undocumented(exchange: Exchange, answer: DocumentedResponse | undefined): ResponseFinding[] {
  const { operation } = exchange.request;
  if (operation === undefined || !isSuccess(exchange)) return [];
  const ids = [...new Set(documentedSuccesses(operation).flatMap(encodedIn))];
  const law = "a success has the status that the document names";
  const expected = `status ${operations[operation].success.join(" or ")}`;
  return ids
    .filter((id) => answer === undefined || id === "SEND-30")
    .map((id) => finding([id], law, answer !== undefined, { expected, found: `status ${exchange.status}` }));
}

type Validate = ((data: unknown) => boolean) & { errors: ValidationError[] | null };

/** What the shared front answers on addresses and methods that are none of the operations'. */
function front({ request: call, status, json }: Exchange): ResponseFinding[] {
  if (call.operation !== undefined || (status !== 404 && status !== 405)) return [];
  const validate = gatewayResponses[status].body as unknown as Validate;
  const holds = validate(json);
  return [
    finding(
      [status === 404 ? "ERR-6" : "ERR-7"],
      `a ${status} of the shared front has the error object`,
      holds,
      {
        expected: "the error object",
        found: describeErrors(validate.errors ?? []),
      },
    ),
  ];
}
