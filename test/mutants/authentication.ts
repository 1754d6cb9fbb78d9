import { changeRequests, type Mutant, type MutantRequest, respondInstead } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, mistakes, rejectsKey, sentMessages, withKey } from "./requests.ts";

const hasNoKey = ({ headers }: MutantRequest): boolean => headers.authorization === undefined;

/** Treats some keys as the main one. */
const letsIn = (
  requirement: Mutant["requirement"],
  title: string,
  applies: (request: MutantRequest, full: string) => boolean,
): Mutant => ({
  requirement,
  title,
  intercept:
    ({ bearer }) =>
    (request, next) =>
      next(applies(request, bearer("full")) ? withKey(request, bearer("full")) : request),
});

const isMadeUp = ({ headers: { authorization = "" } }: MutantRequest): boolean =>
  authorization.startsWith("Bearer contract_unknown_");

export const noKey: Mutant[] = [
  changeRequests("AUTH-1", "custom fields are returned for any bearer token", (request) =>
    isRequestTo(request, "listCustomFields")
      ? { ...request, headers: { ...request.headers, authorization: "" } }
      : undefined,
  ),
  letsIn(
    "AUTH-12",
    "lists are returned without a key",
    (request) => hasNoKey(request) && isRequestTo(request, "listNewsletterLists"),
  ),
  letsIn(
    "AUTH-12",
    "a message can be sent without a key",
    (request) => hasNoKey(request) && isRequestTo(request, "sendEmail"),
  ),
  letsIn(
    "AUTH-12",
    "an empty bearer token is accepted",
    ({ headers }) => headers.authorization?.trim() === "Bearer",
  ),
  respondInstead("AUTH-12", "getMe without a key returns 404", (request) =>
    hasNoKey(request) && isRequestTo(request, "getMe") ? errorResponse(404, "not_found") : undefined,
  ),
  letsIn(
    "AUTH-13",
    "a key that was never issued can read lists",
    (request) => isMadeUp(request) && isRequestTo(request, "listNewsletterLists"),
  ),
  letsIn(
    "AUTH-13",
    "only the beginning of a key is compared",
    ({ headers }, full) => headers.authorization?.startsWith(full) === true,
  ),
];

export const ofAccounts: Mutant[] = [
  {
    requirement: "AUTH-2",
    title: "unsubscribing from one account unsubscribes from all",
    intercept:
      ({ bearer }) =>
      async (request, next) => {
        const response = await next(request);
        const isLeaving = isRequestTo(request, "unsubscribeContact") && response.status === 200;
        if (isLeaving) await next({ ...withKey(request, bearer("full")), body: {} });
        return response;
      },
  },
];

export const ofSenders: Mutant[] = [
  mistakes(
    "AUTH-17",
    "a restricted key returns 422 for another domain",
    "403 send_rejected",
    "422 send_rejected",
    (request) => sentMessages(request).some(({ from }) => String(from).endsWith("@bakery.example")),
  ),
  rejectsKey(
    "AUTH-19",
    "a batch of an account without a domain is accepted",
    { from: "noDomain", on: ["sendBatch"] },
    (request) => ({
      ...errorResponse(200, ""),
      body: { data: sentMessages(request).map((_, index) => ({ id: `sched_${index}`, suppressed: [] })) },
    }),
  ),
];

export const accountMutants: Mutant[] = [
  respondInstead("ME-1", "GET /me does not exist", (request) =>
    isRequestTo(request, "getMe") && request.headers.authorization !== undefined
      ? errorResponse(404, "not_found")
      : undefined,
  ),
];
