import { type OperationId, operations } from "../../generated/operations.ts";
import type { Role } from "../contract/engine/settings.ts";
import type { Fault, FaultAnswer, FaultRequest, RequirementId } from "./fault.ts";
import { inAnswers } from "./fault.ts";
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
}: Pick<FaultRequest, "method" | "path">): OperationId | undefined =>
  patterns.find((one) => one.method === method && one.path.test(path))?.id;

/** Whether a request calls one of some operations; any of a product where that is named. */
export function calls(request: FaultRequest, ...wanted: (OperationId | "email" | "newsletter")[]): boolean {
  const id = operationOf(request);
  return id !== undefined && wanted.some((one) => one === id || one === operations[id].product);
}

/** The same request with another key. */
export const withKey = (request: FaultRequest, authorization: string): FaultRequest => ({
  ...request,
  headers: { ...request.headers, authorization },
});

/** The same request with other fields in its body; those that are undefined are left out. */
export const withFields = (request: FaultRequest, fields: Record<string, unknown>): FaultRequest => ({
  ...request,
  body: { ...objectOf(request.body), ...fields },
});

/** The messages that a request sends: one, or those of a batch. */
export function messagesIn(request: FaultRequest): Record<string, unknown>[] {
  if (calls(request, "sendEmail")) return [objectOf(request.body)];
  const { emails } = objectOf(request.body);
  return calls(request, "sendBatch") && Array.isArray(emails) ? emails.map(objectOf) : [];
}

/** The same request with every message that it sends changed. */
export function withMessages(
  request: FaultRequest,
  change: (message: Record<string, unknown>, index: number) => Record<string, unknown>,
): FaultRequest {
  const changed = messagesIn(request).map(change);
  return { ...request, body: calls(request, "sendEmail") ? changed[0] : { emails: changed } };
}

/** A request by its role, and the calls it makes. */
interface Mistaken {
  /** Whose key the request carries. */
  from: Role;
  /** Whose key it is taken for. */
  to: Role;
  /** What is called; everything unless told otherwise. */
  on?: Parameters<typeof calls>[1][];
}

/** A fault that takes the key of a role for that of another one. */
export const takesFor = (breaks: RequirementId, title: string, { from, to, on }: Mistaken): Fault => ({
  breaks,
  title,
  between:
    ({ bearer }) =>
    (request, next) => {
      const isMeant = request.headers.authorization === bearer(from) && (!on || calls(request, ...on));
      return next(isMeant ? withKey(request, bearer(to)) : request);
    },
});

/** A fault that answers the calls of a role by itself. */
export const turnsAway = (
  breaks: RequirementId,
  title: string,
  { from, on }: Pick<Mistaken, "from" | "on">,
  answer: (request: FaultRequest) => FaultAnswer,
): Fault => ({
  breaks,
  title,
  between:
    ({ bearer }) =>
    (request, next) => {
      const isMeant = request.headers.authorization === bearer(from) && (!on || calls(request, ...on));
      return isMeant ? answer(request) : next(request);
    },
});

/** The error object of an answer; undefined where it has none. */
export const errorIn = ({ body }: Pick<FaultAnswer, "body">): Record<string, unknown> | undefined => {
  const { error } = objectOf(body);
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
};

/** Whether an answer is a certain error. */
export const isError = (answer: FaultAnswer, status: number, type: string): boolean =>
  answer.status === status && errorIn(answer)?.type === type;

/** An error with other parts in its error object; those that are undefined are left out. */
export const withError = (answer: FaultAnswer, parts: Record<string, unknown>): FaultAnswer => ({
  ...answer,
  body: { ...objectOf(answer.body), error: { ...errorIn(answer), ...parts } },
});

/** An answer with other headers; those that are undefined are left out. */
export function withHeaders(answer: FaultAnswer, headers: Record<string, string | undefined>): FaultAnswer {
  const all = Object.entries({ ...answer.headers, ...headers });
  const there = all.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...answer, headers: Object.fromEntries(there) };
}

/** `404 not_found` in two parts. */
type Known = `${number} ${string}`;

/** A fault that answers with one error in place of another one, wherever it is looked for. */
export const mistakes = (
  breaks: RequirementId,
  title: string,
  known: Known,
  other: Known,
  isMeant: (request: FaultRequest) => boolean = () => true,
): Fault =>
  inAnswers(breaks, title, (answer, request) => {
    const [status = "", type = ""] = known.split(" ");
    if (!isError(answer, Number(status), type) || !isMeant(request)) return undefined;
    const [otherStatus, otherType] = other.split(" ");
    return { ...withError(answer, { type: otherType }), status: Number(otherStatus) };
  });
