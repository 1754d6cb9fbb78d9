import { remembering } from "./email.ts";
import { type Fault, inAnswers, inRequests, instead } from "./fault.ts";
import {
  addressIn,
  fieldsOf,
  isGood,
  isLeaving,
  isLookUp,
  isPost,
  membershipsIn,
  objectOf,
  refusal,
  textOf,
} from "./newsletter.ts";

/** Faults of contacts that show in some cases only. */
export const contactCasesFaults: Fault[] = [
  remembering("CONT-1", "whoever left one list is kept from others", () => {
    const left = new Set<string>();
    return async (request, next) => {
      const answer = await next(request);
      if (isLeaving(request) && isGood(answer)) left.add(addressIn(request));
      return isPost(request) && answer.status === 201 && left.has(addressIn(request))
        ? { ...answer, body: { ...objectOf(answer.body), status: "unsubscribed" } }
        : answer;
    };
  }),
  remembering(
    "CONT-11",
    "a contact with a custom field that is not there is refused, and yet added",
    () => async (request, next) => {
      const answer = await next(request);
      const { fields, ...rest } = objectOf(request.body);
      if (isPost(request) && answer.status === 422 && fields !== undefined)
        await next({ ...request, body: rest });
      return answer;
    },
  ),
  remembering("MEMB-10", "a post takes away when a contact left", () => {
    const posted = new Set<string>();
    return async (request, next) => {
      const answer = await next(request);
      if (!isGood(answer)) return answer;
      const body = objectOf(answer.body);
      if (isPost(request) && body.status === "unsubscribed") {
        posted.add(`${addressIn(request)} ${String(body.list_id)}`);
        return { ...answer, body: { ...body, unsubscribed_at: null } };
      }
      if (!isLookUp(request)) return answer;
      const lists = membershipsIn(answer).map((one) =>
        posted.has(`${addressIn(request)} ${String(one.list_id)}`) ? { ...one, unsubscribed_at: null } : one,
      );
      return { ...answer, body: { ...body, lists } };
    };
  }),
  inAnswers("MEMB-17", "a post with the address in capitals puts back who left", (answer, request) => {
    const [email, body] = [textOf(objectOf(request.body).email), objectOf(answer.body)];
    return isPost(request) && email !== email.toLowerCase() && body.status === "unsubscribed"
      ? { ...answer, body: { ...body, status: "subscribed" } }
      : undefined;
  }),
  inRequests("LIST-6", "nought gets lost in custom fields", (request) => {
    const body = objectOf(request.body);
    const kept = Object.entries(fieldsOf(body)).filter(([, value]) => value !== 0);
    return isPost(request) && body.fields !== undefined
      ? { ...request, body: { ...body, fields: Object.fromEntries(kept) } }
      : undefined;
  }),
  instead("LIST-6", "refuses a url with http in custom fields", (request) =>
    isPost(request) &&
    Object.values(fieldsOf(objectOf(request.body))).some((value) => textOf(value).startsWith("http:"))
      ? refusal(422, "invalid_request", "fields.website")
      : undefined,
  ),
];
