import { calls, messagesIn, mistakes, turnsAway, withMessages } from "./calls.ts";
import { type Fault, type FaultRequest, inRequests } from "./fault.ts";
import { refusal } from "./newsletter.ts";

const comesFrom = (request: FaultRequest, domain: string): boolean =>
  messagesIn(request).some(({ from }) => String(from).endsWith(domain));

const comesFromNowhere = (request: FaultRequest): boolean =>
  messagesIn(request).some(({ from }) => String(from).includes("@nobody-"));

/** A fault that takes messages from a domain as if it was in order. */
const takesFrom = (
  breaks: Fault["breaks"],
  title: string,
  operation: "sendEmail" | "sendBatch",
  domain: string,
): Fault =>
  inRequests(breaks, title, (request) =>
    calls(request, operation)
      ? withMessages(request, (message) =>
          String(message.from).endsWith(domain) ? { ...message, from: "contract@bakery.example" } : message,
        )
      : undefined,
  );

const unfinished = "@unverified.bakery.example";
const stopped = "@stopped.bakery.example";

export const sendersFaults: Fault[] = [
  takesFrom("ERR-8", "a message is sent from a domain before it is verified", "sendEmail", unfinished),
  takesFrom("ERR-8", "a batch is sent from a domain before it is verified", "sendBatch", unfinished),
  mistakes(
    "ERR-8",
    "a domain that is not verified yet is answered 403",
    "409 send_rejected",
    "403 send_rejected",
    (request) => comesFrom(request, unfinished),
  ),
  takesFrom("ERR-9", "a message is sent from a domain that is stopped", "sendEmail", stopped),
  takesFrom("ERR-9", "a batch is sent from a domain that is stopped", "sendBatch", stopped),
  mistakes(
    "ERR-9",
    "a domain that is stopped is answered 422",
    "409 send_rejected",
    "422 send_rejected",
    (request) => comesFrom(request, stopped),
  ),
  mistakes(
    "ERR-11",
    "a domain that nobody has is answered 422 invalid_request",
    "403 send_rejected",
    "422 invalid_request",
    comesFromNowhere,
  ),
  turnsAway(
    "ERR-11",
    "an account without a domain is answered 404 not_found",
    { from: "noDomain", on: ["email"] },
    () => refusal(404, "not_found"),
  ),
];
