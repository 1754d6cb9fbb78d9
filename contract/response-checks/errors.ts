import { type ErrorRow, errors } from "../../generated/errors.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { requests } from "../../generated/validators/requests.js";
import { schemas } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { document } from "../document.ts";
import {
  type Exchange,
  errorOf,
  type Fault,
  isRateLimited,
  isSuccess,
  namedFields,
  pathParametersAt,
  requestBody,
} from "../exchange.ts";
import { quoted } from "../text.ts";
import {
  describeErrors,
  faultOf,
  fieldsFault,
  noJson,
  statusFault,
  textsFault,
  unreadable,
} from "./faults.ts";
import { comparing, type Findings, findingOf, type ResponseFinding } from "./finding.ts";

export const compare = comparing({
  object: ["ERR-1", "an error has a type, a message and a request id"],
  serverFailure: ["ERR-13", "no request of the suite ends in a server failure"],
  unavailable: ["ERR-14", "a 502 or 503 has the error object"],
  rateLimited: ["ERR-16", "a rate_limited response has the error object"],
  typeOfTag: ["ERR-12", "newsletter operations have the error types of their tag only"],
  typeOfSend: ["SEND-37", "a rejected send has a listed pair of status and error type"],
  fields: ["ERR-4", "error.fields has a list of texts for each field"],
});

const rows: readonly ErrorRow[] = Object.values(errors);
export const knownErrorTypes = new Set(rows.map(({ type }) => type));

export const errorTypesOf = (operation: OperationId, status: number): (string | null)[] =>
  rows
    .filter((row) => row.status === status)
    .filter(({ operations: on }) => on.length === 0 || on.includes(operation))
    .map(({ type }) => type);

/** The error types of the operations of a tag, if the document lists them. */
const typesOfTag = new Map((document.tags ?? []).map((tag) => [tag.name, tag["x-error-types"]]));
const gatewayTypes = rows.filter((row) => row.operations.length === 0).map(({ type }) => type);

/** The fault of an error type that the document does not have. */
export const typeFault = (type: string): Fault => ({
  cause: `Errors have the type ${type}, which the document does not have`,
  names: [type],
});

/** How the cause of server failures begins. */
export const serverFailure = "Some requests end in a server failure";

/** A finding if a request of the suite, malformed or not, ends in a server failure that no hook asked for. That it does not proves little. */
export function serverFailures(exchange: Exchange): ResponseFinding[] {
  const { status, text } = exchange;
  if (status < 500 || status === 501) return [];
  const fault = () => ({ cause: `${serverFailure}: ${status}${quoted(errorOf(exchange)?.message ?? text)}` });
  return [compare.serverFailure(false, "a status below 500, or 501", `status ${status}`, fault)];
}

/** `POST /api/v1/emails`: the operation of a request, or its method alone if it is to no operation. */
export const placeOf = ({ operation, method }: Exchange["request"]): string =>
  operation === undefined ? `unknown paths with ${method}` : `${method} ${operations[operation].path}`;

export function errorFindings(exchange: Exchange): Findings {
  const { status, json } = exchange;
  if (isSuccess(exchange) || status < 400) return [];
  // A 500 may have another body than the error object.
  if (status === 500 && errorOf(exchange) === undefined) return [];
  const isValid = schemas.ErrorResponse(json);
  const errors = schemas.ErrorResponse.errors ?? [];
  const fault = () => (json === undefined ? noJson(exchange.text) : faultOf(errors, json));
  const found = json === undefined ? unreadable(exchange) : describeErrors(errors, json);
  const valid = (name: keyof typeof compare): ResponseFinding =>
    compare[name](isValid, "a body with error.type, error.message and error.request_id", found, fault);
  return [
    valid("object"),
    (status === 502 || status === 503) && valid("unavailable"),
    isRateLimited(exchange) && valid("rateLimited"),
    typeFinding(exchange),
  ];
}

function typeFinding(exchange: Exchange): ResponseFinding | false {
  const { status, request } = exchange;
  const type = errorOf(exchange)?.type;
  if (request.operation === undefined || status >= 500 || typeof type !== "string") return false;
  const only = typesOfTag.get(operations[request.operation].tag);
  if (only !== undefined)
    return compare.typeOfTag(
      [...only, ...gatewayTypes].includes(type),
      `error.type ${only.join(", ")}`,
      `error.type ${type}`,
      ...(knownErrorTypes.has(type) ? [] : [() => typeFault(type)]),
    );
  // The status is unspecified for a body that is not JSON, an invalid header, and an unknown template.
  const body = requestBody(exchange);
  const isUnspecified = !isAboutFields(exchange) || (isObject(body) && "template_id" in body);
  if (request.operation !== "sendEmail" || isUnspecified) return false;
  const listed = errorTypesOf("sendEmail", status);
  const others = rows.flatMap((row) => (row.type === type && row.status !== status ? [row.status] : []));
  // The service may add types; known types have their listed statuses.
  return compare.typeOfSend(
    !knownErrorTypes.has(type) || listed.includes(type),
    `error.type ${listed.join(" or ") || "of its own"} with status ${status}`,
    `status ${status} with error.type ${type}`,
    () => statusFault(`Errors of the type ${type}`, `${status} ${type}`, others),
  );
}

/** Error types that the document does not list. */
export function errorInformation(exchange: Exchange): string[] {
  const type = errorOf(exchange)?.type;
  // The types of server errors are unspecified.
  const isNew = exchange.status < 500 && typeof type === "string" && !knownErrorTypes.has(type);
  return isNew ? [`error type ${type} (status ${exchange.status})`] : [];
}

/** Errors that must have `error.fields` have it, with texts. */
export function namedFieldsFindings(exchange: Exchange): Findings {
  const { type, fields } = errorOf(exchange) ?? {};
  const shown = JSON.stringify(fields);
  const hasTexts = isObject(fields) && Object.values(fields).every(isListOfTexts);
  const row = rows.find((one) => one.namesFields && one.status === exchange.status && one.type === type);
  return [
    fields !== undefined && compare.fields(hasTexts, "a list of texts for each field", shown, textsFault),
    row !== undefined &&
      isAboutFields(exchange) &&
      findingOf(["ERR-10"], `${row.status} ${row.type} has error.fields`, namedFields(exchange).length > 0, {
        expected: "error.fields with an entry for each invalid field",
        found: shown ?? "no error.fields",
        fault: Array.isArray(fields)
          ? textsFault()
          : fieldsFault("Errors of invalid fields do not name them in error.fields"),
      }),
  ];
}

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string" && text !== "");

/**
 * Whether the fault must be in a field of the body. How an unreadable body and invalid parameters are rejected is unspecified.
 */
function isAboutFields({ request, sent }: Exchange): boolean {
  if (request.operation === undefined || !isObject(requestBody({ request, sent }))) return false;
  const headers = Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const header = Object.fromEntries(headers);
  if (!/^application\/json *(;|$)/i.test(header["content-type"] ?? "")) return false;
  const path = pathParametersAt(request.operation, request.path);
  return path !== undefined && requests[request.operation].parameters({ path, header });
}
