import { type Contact, type Member, withPast } from "../history.ts";
import type { Mutant, MutantRequest, MutantResponse, RequirementId } from "../mutant.ts";
import {
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "../newsletter.ts";
import { isReplay } from "../same-key.ts";

/** Whether a post is affected, by what was known before it. */
export type WhichPost = (given: {
  body: Json;
  request: MutantRequest;
  member?: Member;
  contact?: Contact;
}) => boolean;

export const isUpdate: WhichPost = ({ member }) => member !== undefined;
export const isSecondUpdate: WhichPost = ({ member }) => (member?.posts ?? 0) > 1;

const given = (request: MutantRequest, member: Member | undefined, contact: Contact | undefined) => ({
  request,
  body: objectOf(request.body),
  ...(member === undefined ? {} : { member }),
  ...(contact === undefined ? {} : { contact }),
});

/** Changes some posts on their way to the server. */
export const posts = (
  requirement: RequirementId,
  title: string,
  which: WhichPost,
  change: (body: Json) => Json,
): Mutant =>
  withPast(requirement, title, (request, next, { history }) => {
    const affected =
      isUpsert(request) && which(given(request, history.memberOf(request), history.contactOf(request)));
    return next(affected ? { ...request, body: change(objectOf(request.body)) } : request);
  });

/** Changes the responses to some accepted posts. */
export const postResponses = (
  requirement: RequirementId,
  title: string,
  which: WhichPost,
  change: (response: MutantResponse, body: Json) => MutantResponse,
): Mutant =>
  withPast(requirement, title, async (request, next, { history }) => {
    const before = given(request, history.memberOf(request), history.contactOf(request));
    const affected = isUpsert(request) && which(before);
    const response = await next(request);
    return affected && isSuccess(response) && !isReplay(response)
      ? change(response, objectOf(response.body))
      : response;
  });

/** Changes memberships of some contacts wherever they are shown. */
export const memberships = (
  requirement: RequirementId,
  title: string,
  change: (one: Json, contact: Contact, request: MutantRequest) => Json,
): Mutant =>
  withPast(requirement, title, async (request, next, { history }) => {
    const response = await next(request);
    const contact = request.path.includes("/contacts") ? history.contactOf(request) : undefined;
    if (contact === undefined || !isSuccess(response)) return response;
    const { body } = response;
    if (isUpsert(request)) return { ...response, body: change(objectOf(body), contact, request) };
    const lists = membershipsOf(response).map((one) => change(one, contact, request));
    return { ...response, body: { ...objectOf(body), lists } };
  });

/** Changes the records of some contacts. */
export const contacts = (
  requirement: RequirementId,
  title: string,
  which: (contact: Contact, record: Json, request: MutantRequest) => boolean,
  change: (record: Json) => Json,
): Mutant =>
  withPast(requirement, title, async (request, next, { history }) => {
    const response = await next(request);
    const record = objectOf(response.body);
    if (!isSuccess(response) || !(isContactLookup(request) || isUnsubscribe(request))) return response;
    const contact = history.contactOf(request);
    return contact && which(contact, record, request) ? { ...response, body: change(record) } : response;
  });
