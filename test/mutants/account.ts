import { changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, isSuccess } from "./newsletter.ts";
import { isRequestTo, rejectsKey } from "./requests.ts";

const onMe = (requirement: Mutant["requirement"], title: string, body: unknown): Mutant =>
  changeResponses(requirement, title, (response, request) =>
    isRequestTo(request, "getMe") && isSuccess(response) ? { ...response, body } : undefined,
  );

export const accountMutants: Mutant[] = [
  respondInstead("ME-1", "GET /me does not exist", (request) =>
    isRequestTo(request, "getMe") && request.headers.authorization !== undefined
      ? errorResponse(404, "not_found")
      : undefined,
  ),
  onMe("ME-1", "GET /me returns the account as text", "bakery"),
  onMe("ME-2", "GET /me returns the abilities in an array", ["email:send", "newsletter:read"]),
  onMe("ME-2", "GET /me returns the abilities as text", "email:send newsletter:read"),
  rejectsKey("ME-3", "GET /me rejects a replaced key", { from: "replaced", on: ["getMe"] }, () =>
    errorResponse(401, "unauthorized"),
  ),
];
