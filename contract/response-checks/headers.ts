import { type HeaderRow, headers as responseHeaders } from "../../generated/headers.ts";
import { responses } from "../../generated/validators/responses.js";
import { pointerOf, type Validate } from "../document.ts";
import { type Exchange, errorOf, type Fault, isRateLimited, isSuccess } from "../exchange.ts";
import type { DocumentedResponse } from "./documented.ts";
import { encodedIn, isShape } from "./encoded.ts";
import { faultOf } from "./faults.ts";
import { comparing, type Findings, findingOf, type ResponseFinding } from "./finding.ts";

export const compare = comparing({
  id: ["HEAD-1", "has a request id"],
  uniqueId: ["HEAD-2", "has a unique request id"],
  idOfError: ["ERR-5", "the request id of an error equals that of the header"],
  wait: ["HEAD-8", "a rate_limited response has the seconds to wait"],
  allowance: ["HEAD-5", "only sends and batches have the headers of the monthly allowance"],
});

/** In lower case. */
export const requestIdHeader = responseHeaders.ServiceRequestId.name.toLowerCase();
const retryAfter = responseHeaders.RetryAfter.name.toLowerCase();
/** By the header with what remains, that with the limit. */
const limitOf = new Map<string, HeaderRow>([
  [responseHeaders.RateLimitRemaining.name, responseHeaders.RateLimitLimit],
  [responseHeaders.MonthlyRemaining.name, responseHeaders.MonthlyQuota],
]);

/** Checks the headers of a response against the document: required ones are present, and values are valid. */
export function headerFindings(exchange: Exchange, documented: DocumentedResponse): ResponseFinding[] {
  const { operation } = exchange.request;
  if (operation === undefined) return [];
  const validate = (responses[operation] as unknown as Rows)[documented.key]?.headers;
  const errors = validate === undefined || validate(exchange.headers) ? [] : (validate.errors ?? []);
  const { headers } = exchange;
  return documented.headers.flatMap(({ name, lower, header }): ResponseFinding[] => {
    const value = headers[lower];
    // That the request id is missing is a finding of its own.
    if (value === undefined && (header.required !== true || lower === requestIdHeader)) return [];
    const most = headers[limitOf.get(name)?.name.toLowerCase() ?? ""];
    const excess = Number(value) > Number(most) ? { message: `must be <= ${most}` } : undefined;
    const error = errors.find((one) => pointerOf(one) === `/${lower}`) ?? excess;
    // Only a rate_limited response must have it: that another one does is no evidence.
    if (lower === retryAfter && error === undefined && errorOf(exchange)?.type !== "rate_limited") return [];
    const encoded = encodedIn(header);
    // Its first requirement is that it is there, with a valid value: what others say of the value is then not known.
    const ids = value === undefined || error !== undefined ? encoded.slice(0, 1) : encoded.filter(isShape);
    return ids.map((id) =>
      findingOf(
        [id],
        `${name} is present if it is documented, with a valid value`,
        error === undefined,
        () => ({
          expected: `the header ${name} as documented`,
          found: value === undefined ? noHeader(name, headers) : `${name}: ${value}, which ${error?.message}`,
          fault: headerFault(name, value, error?.message),
        }),
      ),
    );
  });
}

type Rows = Record<string, { headers: Validate } | undefined>;

export interface SeenIds {
  has(id: string): boolean;
  add(id: string, exchange: Exchange): unknown;
}

/** The fault of an error without the same request id in its body. */
function idFault(exchange: Pick<Exchange, "json" | "headers">): Fault {
  const error = errorOf(exchange);
  const id = exchange.headers[requestIdHeader];
  // A header that is sent twice has both values.
  const [first, second] = id?.split(", ") ?? [];
  if (second !== undefined && first === second) return headerFault(requestIdHeader, id, "is sent twice");
  if (error !== undefined && "request_id" in error)
    return { cause: "error.request_id is another id than that of the header", names: ["request_id"] };
  const [instancePath, missingProperty] = error === undefined ? ["", "error"] : ["/error", "request_id"];
  return faultOf([{ instancePath, params: { missingProperty } }], exchange.json);
}

/** The fault of a header that is missing, or has an invalid value. */
export const headerFault = (name: string, value?: string, message = "is invalid"): Fault => ({
  cause: `The header ${name.toLowerCase()} ${value === undefined ? "is missing" : message}`,
  names: [name.toLowerCase()],
});

const rows: HeaderRow[] = Object.values(responseHeaders);
const limited = rows.filter(({ operations }) => operations !== null);
/** The headers that no other operations than certain ones have, in lower case. */
export const limitedNames = limited.map(({ name }) => name.toLowerCase());
const documentedNames = new Set(rows.map(({ name }) => name.toLowerCase()));

/** Names the header that a missing one may have been renamed to: one that ends alike, apart from a prefix. */
function noHeader(name: string, headers: Record<string, string>): string {
  const end = name.toLowerCase().split("-").slice(2).join("-");
  const other = Object.keys(headers).find(
    (one) => end !== "" && one.endsWith(end) && !documentedNames.has(one),
  );
  return other === undefined ? "no such header" : `no such header; there is ${other}: ${headers[other]}`;
}

/** Checks of headers that apply to every response. */
export function generalHeaderFindings(exchange: Exchange, seen: SeenIds | null): Findings {
  const { headers, json, status, request } = exchange;
  const { operation } = request;
  const id = headers[requestIdHeader];
  const error = errorOf(exchange);
  const isMissing = id === undefined || id === "";
  const isNew = isMissing || seen?.has(id) !== true;
  if (!isMissing) seen?.add(id, exchange);
  // A 500 may have another body than the error object.
  const hasError = !isSuccess(exchange) && json !== undefined && (status !== 500 || error !== undefined);
  const seconds = headers[retryAfter];
  // Headers of certain operations are on no other operation.
  const reserved = limited.filter(
    ({ operations }) => operation !== undefined && operations?.includes(operation) === false,
  );
  const found = reserved.map(({ name }) => name.toLowerCase()).find((name) => name in headers);
  return [
    compare.id(!isMissing, `the header ${requestIdHeader}`, noHeader(requestIdHeader, headers), () =>
      headerFault(requestIdHeader),
    ),
    seen !== null &&
      !isMissing &&
      compare.uniqueId(isNew, "a unique request id", `${id}, which an earlier response has, too`),
    hasError &&
      compare.idOfError(
        id !== undefined && id === error?.request_id,
        `error.request_id equal to the header ${requestIdHeader}`,
        `${JSON.stringify(error?.request_id) ?? "nothing"} in the body, ${JSON.stringify(id) ?? "nothing"} in the header`,
        () => (isMissing ? headerFault(requestIdHeader) : idFault(exchange)),
      ),
    isRateLimited(exchange) &&
      compare.wait(
        /^\d+$/.test(seconds ?? ""),
        `${retryAfter} with whole seconds`,
        `${retryAfter}: ${seconds ?? "missing"}`,
      ),
    reserved.length > 0 &&
      compare.allowance(
        found === undefined,
        `a response without ${reserved.map(({ name }) => name).join(" and ")}`,
        `${found}: ${headers[found ?? ""]}`,
      ),
  ];
}
