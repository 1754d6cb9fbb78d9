import type { OperationId } from "../../generated/operations.ts";
import type { Mutant, MutantRequest, MutantResponse } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo } from "./requests.ts";

type WithBody = Extract<
  OperationId,
  "sendEmail" | "sendBatch" | "rescheduleEmail" | "upsertContact" | "unsubscribeContact"
>;

const words: Record<WithBody, string> = {
  sendEmail: "a send",
  sendBatch: "a batch",
  rescheduleEmail: "a reschedule",
  upsertContact: "a contact",
  unsubscribeContact: "an unsubscribe",
};

const operations = Object.keys(words) as WithBody[];

/** Responds to a request whose body is not JSON instead of the server. */
const toUnreadable = (
  title: string,
  operation: WithBody,
  response: () => MutantResponse,
  applies = (request: MutantRequest): boolean => request.text !== undefined,
): Mutant => ({
  requirement: "ERR-13",
  title,
  intercept: () => (request, next) =>
    isRequestTo(request, operation) && applies(request) ? response() : next(request),
});

/** Rejects a body whose end is missing, but performs the request. */
const repaired = (operation: WithBody): Mutant => ({
  requirement: "ERR-10",
  title: `the body of ${words[operation]} without its end is rejected, but processed`,
  intercept: () => async (request, next) => {
    const { text, ...rest } = request;
    const response = await next(request);
    if (text === undefined || !isRequestTo(request, operation) || !text.startsWith("{")) return response;
    await next({ ...rest, body: JSON.parse(text.endsWith("}}") ? text.slice(0, -1) : `${text}}`) });
    return response;
  },
});

export const unreadableMutants: Mutant[] = [
  ...operations.flatMap((operation) => [
    toUnreadable(
      `${words[operation]} with a body that is a form returns 502`,
      operation,
      () => errorResponse(502, "bad_gateway"),
      ({ headers }) => headers["content-type"] === "application/x-www-form-urlencoded",
    ),
    repaired(operation),
  ]),
];
