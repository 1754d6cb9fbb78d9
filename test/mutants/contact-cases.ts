import { stateful } from "./email.ts";
import { changeRequests, changeResponses, type Mutant, respondInstead } from "./mutant.ts";
import {
  emailOf,
  errorResponse,
  fieldsOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  membershipsOf,
  objectOf,
  textOf,
} from "./newsletter.ts";

/** Mutants of contacts that only show in some cases. */
export const contactCasesMutants: Mutant[] = [
  stateful("CONT-1", "unsubscribing from one list keeps the contact from other lists", () => {
    const left = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isUnsubscribe(request) && isSuccess(response)) left.add(emailOf(request));
      return isUpsert(request) && response.status === 201 && left.has(emailOf(request))
        ? { ...response, body: { ...objectOf(response.body), status: "unsubscribed" } }
        : response;
    };
  }),
  stateful(
    "CONT-11",
    "a contact with an undefined custom field is rejected, but added",
    () => async (request, next) => {
      const response = await next(request);
      const { fields, ...rest } = objectOf(request.body);
      if (isUpsert(request) && response.status === 422 && fields !== undefined)
        await next({ ...request, body: rest });
      return response;
    },
  ),
  stateful("MEMB-10", "an update clears the time of the unsubscribe", () => {
    const posted = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response)) return response;
      const body = objectOf(response.body);
      if (isUpsert(request) && body.status === "unsubscribed") {
        posted.add(`${emailOf(request)} ${String(body.list_id)}`);
        return { ...response, body: { ...body, unsubscribed_at: null } };
      }
      if (!isContactLookup(request)) return response;
      const lists = membershipsOf(response).map((one) =>
        posted.has(`${emailOf(request)} ${String(one.list_id)}`) ? { ...one, unsubscribed_at: null } : one,
      );
      return { ...response, body: { ...body, lists } };
    };
  }),
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
