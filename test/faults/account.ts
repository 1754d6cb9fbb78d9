import { calls, turnsAway } from "./calls.ts";
import { type Fault, inAnswers, instead } from "./fault.ts";
import { isGood, refusal } from "./newsletter.ts";

const onMe = (breaks: Fault["breaks"], title: string, body: unknown): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    calls(request, "getMe") && isGood(answer) ? { ...answer, body } : undefined,
  );

export const accountFaults: Fault[] = [
  instead("ME-1", "nobody can ask about a key", (request) =>
    calls(request, "getMe") && request.headers.authorization !== undefined
      ? refusal(404, "not_found")
      : undefined,
  ),
  onMe("ME-1", "a key is told its account in a text", "bakery"),
  onMe("ME-2", "a key is told its abilities in an array", ["email:send", "newsletter:read"]),
  onMe("ME-2", "a key is told its abilities in a text", "email:send newsletter:read"),
  turnsAway(
    "ME-2",
    "a key needs an ability to ask for its abilities that no key has",
    { from: "full", on: ["getMe"] },
    () => refusal(403, "forbidden"),
  ),
  turnsAway("ME-3", "a replaced key can not ask about itself", { from: "replaced", on: ["getMe"] }, () =>
    refusal(401, "unauthorized"),
  ),
];
