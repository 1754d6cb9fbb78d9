import { changeRequests, changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import { errorResponse, fieldsOf, isUpsert, objectOf, textOf } from "./newsletter.ts";

/** Mutants of contacts that only show in some cases. */
export const contactCasesMutants: Mutant[] = [
  changeResponses(
    "MEMB-17",
    "an upsert with the email address in upper case subscribes again",
    (response, request) => {
      const [email, body] = [textOf(objectOf(request.body).email), objectOf(response.body)];
      return isUpsert(request) && email !== email.toLowerCase() && body.status === "unsubscribed"
        ? { ...response, body: { ...body, status: "subscribed" } }
        : undefined;
    },
  ),
  changeRequests("LIST-6", "zero is lost in custom fields", (request) => {
    const body = objectOf(request.body);
    const kept = Object.entries(fieldsOf(body)).filter(([, value]) => value !== 0);
    return isUpsert(request) && body.fields !== undefined
      ? { ...request, body: { ...body, fields: Object.fromEntries(kept) } }
      : undefined;
  }),
  respondInstead("LIST-6", "rejects an http URL in custom fields", (request) =>
    isUpsert(request) &&
    Object.values(fieldsOf(objectOf(request.body))).some((value) => textOf(value).startsWith("http:"))
      ? errorResponse(422, "invalid_request", "fields.website")
      : undefined,
  ),
];
