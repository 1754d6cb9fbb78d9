import { calls, turnsAway, withKey } from "./calls.ts";
import { remembering } from "./email.ts";
import { type Fault, instead } from "./fault.ts";
import { refusal } from "./newsletter.ts";

/** Takes a text for the key of the main account where it looks alike. */
const takesLike = (title: string, isLike: (text: string, key: string) => boolean): Fault =>
  remembering("AUTH-13", title, ({ bearer }) => (request, next) => {
    const { authorization = "" } = request.headers;
    const isMeant = authorization.length > "Bearer ".length + 8 && isLike(authorization, bearer("full"));
    return next(isMeant ? withKey(request, bearer("full")) : request);
  });

const belowMessage = /^(\/api\/v1\/emails\/[^/]+)\/[^/]+$/;

/** Faults of keys and addresses that show in some cases only. */
export const keyCasesFaults: Fault[] = [
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
    turnsAway("AUTH-4", title, { from: "second", on: [operation] }, () => refusal(404, "not_found")),
  ),
  instead("ERR-6", "any address below a message is that of the message", (request, next) => {
    const [, message] = belowMessage.exec(request.path) ?? [];
    return message === undefined || request.method !== "GET"
      ? undefined
      : next({ ...request, path: message });
  }),
  instead("ERR-7", "a DELETE of the lists is answered 404", (request) =>
    request.method === "DELETE" && !calls(request, "email", "newsletter") && request.path.endsWith("/lists")
      ? refusal(404, "not_found")
      : undefined,
  ),
];
