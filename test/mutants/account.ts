import { changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess } from "./newsletter.ts";
import { isRequestTo, rejectsKey } from "./requests.ts";

const onMe = (requirement: Mutant["requirement"], title: string, body: unknown): Mutant =>
  changeResponses(requirement, title, (response, request) =>
    isRequestTo(request, "getMe") && isSuccess(response) ? { ...response, body } : undefined,
  );

export const accountMutants: Mutant[] = [
  respondInstead("ME-1", "nobody can ask about a key", (request) =>
    isRequestTo(request, "getMe") && request.headers.authorization !== undefined
      ? errorResponse(404, "not_found")
      : undefined,
  ),
  onMe("ME-1", "a key is told its account in a text", "bakery"),
  onMe("ME-2", "a key is told its abilities in an array", ["email:send", "newsletter:read"]),
  onMe("ME-2", "a key is told its abilities in a text", "email:send newsletter:read"),
  rejectsKey(
    "ME-2",
    "a key needs an ability to ask for its abilities that no key has",
    { from: "full", on: ["getMe"] },
    () => errorResponse(403, "forbidden"),
  ),
  rejectsKey("ME-3", "a replaced key can not ask about itself", { from: "replaced", on: ["getMe"] }, () =>
    errorResponse(401, "unauthorized"),
  ),
];
