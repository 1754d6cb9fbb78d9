import type { Role } from "../../contract/engine/settings.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  type SandboxContext,
  shows,
} from "./mutant.ts";
import { objectOf } from "./newsletter.ts";

const patterns = Object.values(operations)
  .map(({ id, method, path }) => ({
    id: id as OperationId,
    method: method as string,
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    hasPart: path.includes("{"),
  }))
  // Paths without parameters come first, because the others could match them too.
  .sort((one, other) => Number(one.hasPart) - Number(other.hasPart));

/** The operation of a request, with a query or without. */
export function operationOf({
  method,
  path,
}: Pick<MutantRequest, "method" | "path">): OperationId | undefined {
  const [withoutQuery = ""] = path.split("?");
  return patterns.find((one) => one.method === method && one.path.test(withoutQuery))?.id;
}

/** Whether a request is to one of these operations, or to any of a product. */
export function isRequestTo(
  request: MutantRequest,
  ...wanted: (OperationId | "email" | "newsletter")[]
): boolean {
  const id = operationOf(request);
  return id !== undefined && wanted.some((one) => one === id || one === operations[id].product);
}

/** Whether a request has the key of a role. */
export const hasKeyOf = (
  role: Role,
  { bearer }: SandboxContext,
  { headers }: Pick<MutantRequest, "headers">,
): boolean => headers.authorization === bearer(role);

export const withKey = (request: MutantRequest, authorization: string): MutantRequest => ({
  ...request,
  headers: { ...request.headers, authorization },
});

/** The same request or response with other properties in its body; undefined removes one. */
export const withFields = <Message extends { body: unknown }>(
  message: Message,
  fields: Record<string, unknown>,
): Message => ({ ...message, body: { ...objectOf(message.body), ...fields } });

/** The messages that a request sends, single or in a batch. */
export function sentMessages(request: MutantRequest): Record<string, unknown>[] {
  if (isRequestTo(request, "sendEmail")) return [objectOf(request.body)];
  const { emails } = objectOf(request.body);
  return isRequestTo(request, "sendBatch") && Array.isArray(emails) ? emails.map(objectOf) : [];
}

export function withMessages(
  request: MutantRequest,
  change: (message: Record<string, unknown>, index: number) => Record<string, unknown>,
): MutantRequest {
  const emails = sentMessages(request).map(change);
  return isRequestTo(request, "sendEmail")
    ? { ...request, body: emails[0] }
    : withFields(request, { emails });
}

interface Mistaken {
  /** The role whose key the request carries. */
  from: Role;
  /** The role whose key it is treated as. */
  to: Role;
  /** The operations; default: all. */
  on?: Parameters<typeof isRequestTo>[1][];
}

/** Responds to the requests of a role. */
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

export const errorIn = ({ body }: Pick<MutantResponse, "body">): Record<string, unknown> | undefined => {
  const { error } = objectOf(body);
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
};

export const isError = (response: MutantResponse, status: number, type: string): boolean =>
  response.status === status && errorIn(response)?.type === type;

/** The response with other properties in its error object; undefined removes one. */
export const withError = (response: MutantResponse, parts: Record<string, unknown>): MutantResponse => ({
  ...response,
  body: { ...objectOf(response.body), error: { ...errorIn(response), ...parts } },
});

/** The response with other headers; undefined removes one. */
export function withHeaders(
  response: MutantResponse,
  headers: Record<string, string | undefined>,
): MutantResponse {
  const all = Object.entries({ ...response.headers, ...headers });
  const there = all.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...response, headers: Object.fromEntries(there) };
}

/** Such as `404 not_found`. */
type Known = `${number} ${string}`;

/** Returns one error instead of another. */
export const mistakes = (
  requirement: RequirementId,
  title: string,
  known: Known,
  other: Known,
  applies: (request: MutantRequest) => boolean = () => true,
): Mutant =>
  shows(requirement, title, (response, request) => {
    const [status = "", type = ""] = known.split(" ");
    if (!isError(response, Number(status), type) || !applies(request)) return undefined;
    const [otherStatus, otherType] = other.split(" ");
    return { ...withError(response, { type: otherType }), status: Number(otherStatus) };
  });
