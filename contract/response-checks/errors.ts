import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { schemas } from "../../generated/validators/responses.js";
import { isObject } from "../../lib/objects.ts";
import { document } from "../document.ts";
import { type Exchange, errorOf, isSuccess, requestBody } from "../exchange.ts";
import { describeErrors } from "../validation-errors.ts";
import { finding, type ResponseFinding } from "./finding.ts";
import { isAboutFields } from "./named-fields.ts";

const rows = Object.values(errors).map(({ status, type, operations: on }) => ({
  status: status as number,
  type: type as string | null,
  operations: on as readonly string[],
}));
const knownTypes = new Set(rows.map(({ type }) => type));
/** The error types of the operations of a tag, if the document lists them. */
const typesOfTag = new Map((document.tags ?? []).map((tag) => [tag.name, tag["x-error-types"]]));
/** The error types of gateway responses. */
const gatewayTypes = rows.filter((row) => row.operations.length === 0).map(({ type }) => type);

/** Checks of every error response. */
export function errorFindings(exchange: Exchange): ResponseFinding[] {
  const { status, text, json } = exchange;
  if (isSuccess(exchange) || status < 400) return [];
  // A 500 may have another body than the error object.
  if (status === 500 && errorOf(exchange) === undefined) return [];
  const isValid = schemas.ErrorResponse(json);
  const found =
    json === undefined
      ? text === ""
        ? "no body"
        : "a body that is not JSON"
      : describeErrors(schemas.ErrorResponse.errors ?? []);
  return [
    finding(["ERR-1"], "an error has a type, a message and a request id", isValid, {
      expected: "a body with error.type, error.message and error.request_id",
      found,
    }),
    ...(status === 429 && errorOf(exchange)?.type === "rate_limited"
      ? [
          finding(["ERR-16"], "a rate_limited response has the error object", isValid, {
            expected: "the error object",
            found,
          }),
        ]
      : []),
    ...typeFindings(exchange),
  ];
}

function typeFindings(exchange: Exchange): ResponseFinding[] {
  const { status, request } = exchange;
  const type = errorOf(exchange)?.type;
  if (request.operation === undefined || status >= 500 || typeof type !== "string") return [];
  const only = typesOfTag.get(operations[request.operation].tag);
  if (only !== undefined) {
    const allowed = [...only, ...gatewayTypes];
    return [
      finding(
        ["ERR-12"],
        "newsletter operations have the error types of their tag only",
        allowed.includes(type),
        {
          expected: `error.type ${only.join(", ")}`,
          found: `error.type ${type}`,
        },
      ),
    ];
  }
  if (request.operation !== "sendEmail" || isStatusUnspecified(exchange)) return [];
  const listed = rows.filter(
    (row) => row.status === status && (row.operations.length === 0 || row.operations.includes("sendEmail")),
  );
  // The service may add types; known types have their listed statuses.
  return [
    finding(
      ["SEND-37"],
      "a rejected send has a listed pair of status and error type",
      !knownTypes.has(type) || listed.some((row) => row.type === type),
      {
        expected: `error.type ${listed.map((row) => row.type).join(" or ") || "of its own"} with status ${status}`,
        found: `error.type ${type}`,
      },
    ),
  ];
}

/** Whether the status of the error is unspecified: for a body that is not JSON, an invalid header, and an unknown template. */
function isStatusUnspecified(exchange: Exchange): boolean {
  const body = requestBody(exchange);
  return !isAboutFields(exchange) || (isObject(body) && "template_id" in body);
}

/** Error types that the document does not list. */
export function errorInformation(exchange: Exchange): string[] {
  const type = errorOf(exchange)?.type;
  // The types of server errors are unspecified.
  if (exchange.status >= 500) return [];
  return typeof type === "string" && !knownTypes.has(type)
    ? [`error type ${type} (status ${exchange.status})`]
    : [];
}
