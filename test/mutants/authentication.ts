import { type Mutant, type MutantRequest, takes } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, rejectsKey, sentMessages, withKey } from "./requests.ts";

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
  takes("AUTH-1", "custom fields are returned for any bearer token", (request) =>
    isRequestTo(request, "listCustomFields")
      ? { ...request, headers: { ...request.headers, authorization: "" } }
      : undefined,
  ),
  letsIn(
    "AUTH-12",
    "an empty bearer token is accepted",
    ({ headers }) => headers.authorization?.trim() === "Bearer",
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
