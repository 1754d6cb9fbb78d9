import { stateful } from "./email.ts";
import { type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, rejectsKey, withKey } from "./requests.ts";

/** Accepts texts similar to the main account's key. */
const takesLike = (title: string, isLike: (text: string, key: string) => boolean): Mutant =>
  stateful("AUTH-13", title, ({ bearer }) => (request, next) => {
    const { authorization = "" } = request.headers;
    const applies = authorization.length > "Bearer ".length + 8 && isLike(authorization, bearer("full"));
    return next(applies ? withKey(request, bearer("full")) : request);
  });

const belowMessage = /^(\/api\/v1\/emails\/[^/]+)\/[^/]+$/;

/** Mutants of keys and paths that only show in some cases. */
export const keyCasesMutants: Mutant[] = [
  takesLike("the beginning of a key is sufficient", (text, key) => key.startsWith(text)),
  takesLike("keys are compared without regard to case", (text, key) => {
    return text.toLowerCase() === key.toLowerCase();
  }),
  ...(
    [
      ["cancelEmail", "a key cannot cancel what another key scheduled"],
      ["rescheduleEmail", "a key cannot reschedule what another key scheduled"],
      ["unsubscribeContact", "a key cannot unsubscribe a contact that another key added"],
    ] as const
  ).map(([operation, title]) =>
    rejectsKey("AUTH-4", title, { from: "second", on: [operation] }, () => errorResponse(404, "not_found")),
  ),
  respondInstead("ERR-6", "paths below a message return the message", (request, next) => {
    const [, message] = belowMessage.exec(request.path) ?? [];
    return message === undefined || request.method !== "GET"
      ? undefined
      : next({ ...request, path: message });
  }),
  respondInstead("ERR-7", "DELETE on the lists returns 404", (request) =>
    request.method === "DELETE" &&
    !isRequestTo(request, "email", "newsletter") &&
    request.path.endsWith("/lists")
      ? errorResponse(404, "not_found")
      : undefined,
  ),
];
