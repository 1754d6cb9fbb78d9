import { changeRequests, type Mutant, type MutantRequest } from "./mutant.ts";
import { errorResponse } from "./newsletter.ts";
import { isRequestTo, messagesIn, mistakes, rejectsKey, withMessages } from "./requests.ts";

const comesFromNowhere = (request: MutantRequest): boolean =>
  messagesIn(request).some(({ from }) => String(from).includes("@nobody-"));

/** Accepts messages from a domain as if it were verified. */
const takesFrom = (
  requirement: Mutant["requirement"],
  title: string,
  operation: "sendEmail" | "sendBatch",
  domain: string,
): Mutant =>
  changeRequests(requirement, title, (request) =>
    isRequestTo(request, operation)
      ? withMessages(request, (message) =>
          String(message.from).endsWith(domain) ? { ...message, from: "contract@bakery.example" } : message,
        )
      : undefined,
  );

const unfinished = "@unverified.bakery.example";
const stopped = "@stopped.bakery.example";

export const sendersMutants: Mutant[] = [
  takesFrom("ERR-8", "a message is sent from a domain with unfinished verification", "sendEmail", unfinished),
  takesFrom("ERR-8", "a batch is sent from a domain with unfinished verification", "sendBatch", unfinished),
  takesFrom("ERR-9", "a message is sent from a stopped domain", "sendEmail", stopped),
  takesFrom("ERR-9", "a batch is sent from a stopped domain", "sendBatch", stopped),
  mistakes(
    "ERR-11",
    "a nonexistent domain returns 422 invalid_request",
    "403 send_rejected",
    "422 invalid_request",
    comesFromNowhere,
  ),
  rejectsKey(
    "ERR-11",
    "an account without a domain returns 404 not_found",
    { from: "noDomain", on: ["email"] },
    () => errorResponse(404, "not_found"),
  ),
];
