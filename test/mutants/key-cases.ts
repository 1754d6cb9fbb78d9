import { stateful } from "./email.ts";
import { type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, rejectsKey, withKey } from "./requests.ts";

/** Takes a text for the key of the main account where it looks alike. */
const takesLike = (title: string, isLike: (text: string, key: string) => boolean): Mutant =>
  stateful("AUTH-13", title, ({ bearer }) => (request, next) => {
    const { authorization = "" } = request.headers;
    const applies = authorization.length > "Bearer ".length + 8 && isLike(authorization, bearer("full"));
    return next(applies ? withKey(request, bearer("full")) : request);
  });

const belowMessage = /^(\/api\/v1\/emails\/[^/]+)\/[^/]+$/;

/** Faults of keys and addresses that show in some cases only. */
export const keyCasesMutants: Mutant[] = [
  takesLike("the beginning of a key is enough", (text, key) => key.startsWith(text)),
  takesLike("small letters and capitals are the same in a key", (text, key) => {
    return text.toLowerCase() === key.toLowerCase();
  }),
  ...(
    [
      ["cancelEmail", "what one key scheduled another one cannot cancel"],
      ["rescheduleEmail", "what one key scheduled another one cannot change"],
      ["unsubscribeContact", "whom one key added another one cannot unsubscribe"],
    ] as const
  ).map(([operation, title]) =>
    rejectsKey("AUTH-4", title, { from: "second", on: [operation] }, () => errorResponse(404, "not_found")),
  ),
  respondInstead("ERR-6", "any address below a message is that of the message", (request, next) => {
    const [, message] = belowMessage.exec(request.path) ?? [];
    return message === undefined || request.method !== "GET"
      ? undefined
      : next({ ...request, path: message });
  }),
  respondInstead("ERR-7", "a DELETE of the lists is answered 404", (request) =>
    request.method === "DELETE" &&
    !isRequestTo(request, "email", "newsletter") &&
    request.path.endsWith("/lists")
      ? errorResponse(404, "not_found")
      : undefined,
  ),
];
