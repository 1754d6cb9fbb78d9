import { type OperationId, operations } from "../../generated/operations.ts";
import type { Role } from "../contract/engine/settings.ts";
import type { Mutant, MutantRequest, MutantResponse, RequirementId } from "./mutant.ts";
import { changeResponses } from "./mutant.ts";
import { objectOf } from "./newsletter.ts";

const patterns = Object.values(operations)
  .map(({ id, method, path }) => ({
    id: id as OperationId,
    method: method as string,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    hasPart: path.includes("{"),
  }))
  // An address without a part stands before those that it would fit too.
  .sort((one, other) => Number(one.hasPart) - Number(other.hasPart));

/** The operation that a request calls. */
export const operationOf = ({
  method,
  path,
}: Pick<MutantRequest, "method" | "path">): OperationId | undefined =>
  patterns.find((one) => one.method === method && one.path.test(path))?.id;

/** Whether a request calls one of some operations; any of a product where that is named. */
export function isRequestTo(
  request: MutantRequest,
  ...wanted: (OperationId | "email" | "newsletter")[]
): boolean {
  const id = operationOf(request);
  return id !== undefined && wanted.some((one) => one === id || one === operations[id].product);
}

/** The same request with another key. */
export const withKey = (request: MutantRequest, authorization: string): MutantRequest => ({
  ...request,
  headers: { ...request.headers, authorization },
});

/** The same request with other fields in its body; those that are undefined are left out. */
export const withFields = (request: MutantRequest, fields: Record<string, unknown>): MutantRequest => ({
  ...request,
  body: { ...objectOf(request.body), ...fields },
});

/** The messages that a request sends: one, or those of a batch. */
export function messagesIn(request: MutantRequest): Record<string, unknown>[] {
  if (isRequestTo(request, "sendEmail")) return [objectOf(request.body)];
  const { emails } = objectOf(request.body);
  return isRequestTo(request, "sendBatch") && Array.isArray(emails) ? emails.map(objectOf) : [];
}

/** The same request with every message that it sends changed. */
export function withMessages(
  request: MutantRequest,
  change: (message: Record<string, unknown>, index: number) => Record<string, unknown>,
): MutantRequest {
  const changed = messagesIn(request).map(change);
  return { ...request, body: isRequestTo(request, "sendEmail") ? changed[0] : { emails: changed } };
}

/** A request by its role, and the calls it makes. */
interface Mistaken {
  /** Whose key the request carries. */
  from: Role;
  /** Whose key it is taken for. */
  to: Role;
  /** What is called; everything unless told otherwise. */
  on?: Parameters<typeof isRequestTo>[1][];
}

/** A fault that takes the key of a role for that of another one. */
export const mistakesKey = (
  requirement: RequirementId,
  title: string,
  { from, to, on }: Mistaken,
): Mutant => ({
  requirement,
  title,
  intercept:
    ({ bearer }) =>
    (request, next) => {
      const applies = request.headers.authorization === bearer(from) && (!on || isRequestTo(request, ...on));
      return next(applies ? withKey(request, bearer(to)) : request);
    },
});

/** A fault that responses the calls of a role by itself. */
export const rejectsKey = (
  requirement: RequirementId,
  title: string,
  { from, on }: Pick<Mistaken, "from" | "on">,
  response: (request: MutantRequest) => MutantResponse,
): Mutant => ({
  requirement,
  title,
  intercept:
    ({ bearer }) =>
    (request, next) => {
      const applies = request.headers.authorization === bearer(from) && (!on || isRequestTo(request, ...on));
      return applies ? response(request) : next(request);
    },
});

/** The error object of a response; undefined where it has none. */
export const errorIn = ({ body }: Pick<MutantResponse, "body">): Record<string, unknown> | undefined => {
  const { error } = objectOf(body);
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
};

/** Whether a response is a certain error. */
export const isError = (response: MutantResponse, status: number, type: string): boolean =>
  response.status === status && errorIn(response)?.type === type;

/** An error with other parts in its error object; those that are undefined are left out. */
export const withError = (response: MutantResponse, parts: Record<string, unknown>): MutantResponse => ({
  ...response,
  body: { ...objectOf(response.body), error: { ...errorIn(response), ...parts } },
});

/** A response with other headers; those that are undefined are left out. */
export function withHeaders(
  response: MutantResponse,
  headers: Record<string, string | undefined>,
): MutantResponse {
  const all = Object.entries({ ...response.headers, ...headers });
  const there = all.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...response, headers: Object.fromEntries(there) };
}

/** `404 not_found` in two parts. */
type Known = `${number} ${string}`;

/** A fault that responses with one error in place of another one, wherever it is looked for. */
export const mistakes = (
  requirement: RequirementId,
  title: string,
  known: Known,
  other: Known,
  applies: (request: MutantRequest) => boolean = () => true,
): Mutant =>
  changeResponses(requirement, title, (response, request) => {
    const [status = "", type = ""] = known.split(" ");
    if (!isError(response, Number(status), type) || !applies(request)) return undefined;
    const [otherStatus, otherType] = other.split(" ");
    return { ...withError(response, { type: otherType }), status: Number(otherStatus) };
  });
