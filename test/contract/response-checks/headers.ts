import { responses } from "../../../generated/validators/responses.js";
import { document, headerName } from "../document.ts";
import { type Exchange, errorOf, isSuccess } from "../exchange.ts";
import { pointerOf, type ValidationError } from "../validation-errors.ts";
import { type DocumentedResponse, reservedHeaders } from "./documented.ts";
import { encodedIn, isShape } from "./encoded.ts";
import { finding, type ResponseFinding } from "./finding.ts";

export const requestIdHeader = headerName(document, "RequestId").toLowerCase();
const retryAfter = headerName(document, "RetryAfter").toLowerCase();

/** Holds the headers of an answer against the document: those it promises are there, and have values of their types. */
export function headerFindings(exchange: Exchange, answer: DocumentedResponse): ResponseFinding[] {
  const { operation } = exchange.request;
  if (operation === undefined) return [];
  const validate = (responses[operation] as unknown as Rows)[answer.key]?.headers;
  const faults = validate === undefined || validate(exchange.headers) ? [] : (validate.errors ?? []);
  return answer.headers
    .filter(([name, header]) => header.required === true || name.toLowerCase() in exchange.headers)
    .flatMap(([name, header]): ResponseFinding[] => {
      const lower = name.toLowerCase();
      const fault = faults.find((one) => pointerOf(one) === `/${lower}`);
      const ids = encodedIn(header).filter((id) => isShape(id) || fault !== undefined);
      const value = exchange.headers[lower];
      return ids.map((id) =>
        finding([id], `${name} stands where it is promised, with a value of its type`, fault === undefined, {
          expected: `the header ${name} as documented`,
          found: value === undefined ? "no such header" : `${name}: ${value}, which ${fault?.message}`,
        }),
      );
    });
}

type Rows = Record<
  string,
  { headers: ((data: unknown) => boolean) & { errors: ValidationError[] | null } } | undefined
>;

/** The laws about headers that hold for every answer, whatever the document says of it. */
export function generalHeaderFindings(exchange: Exchange, seen: Set<string> | null): ResponseFinding[] {
  const { headers, json, request: call } = exchange;
  const id = headers[requestIdHeader];
  const body = errorOf(exchange)?.request_id;
  const isNew = id === undefined || seen?.has(id) !== true;
  if (id !== undefined) seen?.add(id);
  return [
    finding(["HEAD-1"], "every answer carries a request id", id !== undefined && id !== "", {
      expected: `the header ${requestIdHeader}`,
      found: "no such header",
    }),
    ...(seen === null
      ? []
      : [
          finding(["HEAD-2"], "no two answers have the same request id", isNew, {
            expected: "a request id of its own",
            found: `${id}, which an earlier answer has too`,
          }),
        ]),
    // A failure of the service may come without the error object, whatever stands in its place.
    ...(isSuccess(exchange) ||
    json === undefined ||
    (exchange.status === 500 && errorOf(exchange) === undefined)
      ? []
      : [
          finding(
            ["ERR-5"],
            "the request id of an error is that of the header",
            id !== undefined && id === body,
            {
              expected: `error.request_id equal to the header ${requestIdHeader}`,
              found: `${JSON.stringify(body) ?? "nothing"} in the body, ${JSON.stringify(id) ?? "nothing"} in the header`,
            },
          ),
        ]),
    ...waiting(exchange),
    ...(call.operation === undefined ? [] : reserved(exchange, call.operation)),
  ];
}

function waiting(exchange: Exchange): ResponseFinding[] {
  if (exchange.status !== 429 || errorOf(exchange)?.type !== "rate_limited") return [];
  const seconds = exchange.headers[retryAfter];
  return [
    finding(
      ["HEAD-8"],
      "a refusal for too many requests tells the seconds to wait",
      /^\d+$/.test(seconds ?? ""),
      { expected: `${retryAfter} with whole seconds`, found: `${retryAfter}: ${seconds ?? "missing"}` },
    ),
  ];
}

/** Headers that only some operations have are on no other. */
function reserved(exchange: Exchange, operation: string): ResponseFinding[] {
  const names = [...reservedHeaders].filter(([, { operations }]) => !operations.includes(operation));
  const found = names.find(([name]) => name.toLowerCase() in exchange.headers)?.[0];
  return names.length === 0
    ? []
    : [
        finding(["HEAD-5"], "only sends and batches tell the allowance", found === undefined, {
          expected: `an answer without ${names.map(([name]) => name).join(" and ")}`,
          found: `${found}: ${exchange.headers[found?.toLowerCase() ?? ""]}`,
        }),
      ];
}
