import { isCancel, isMessageLookup } from "./email.ts";
import { type Contact, lookupAt, type Member, type Message, withPast } from "./history.ts";
import type { Mutant, MutantRequest, MutantResponse, RequirementId } from "./mutant.ts";
import {
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
} from "./newsletter.ts";
import { isReplay } from "./same-key.ts";

export type Which = (message: Message, request: MutantRequest) => boolean;

export const wasScheduled: Which = ({ kind }) => kind === "scheduled";
export const isMoved: Which = ({ times }) => times.length > 1;
export const isMovedTwice: Which = ({ times }) => times.length > 2;
export const hasCopies: Which = ({ sent }) => listOf(sent.cc).length + listOf(sent.bcc).length > 0;
/** In a batch, at this position or a later one. */
export const inBatchFrom =
  (first: number): Which =>
  ({ kind, position }) =>
    kind === "batch" && position >= first;
export const both =
  (...all: Which[]): Which =>
  (message, request) =>
    all.every((one) => one(message, request));

/** Changes the records of some messages. */
export const records = (
  requirement: RequirementId,
  title: string,
  which: Which,
  change: (record: Json, message: Message, now: number) => Json,
): Mutant =>
  withPast(requirement, title, async (request, next, { history, context }) => {
    const response = await next(request);
    const message = history.messageOf(request);
    return isMessageLookup(request) && isSuccess(response) && message && which(message, request)
      ? { ...response, body: change(objectOf(response.body), message, context.now()) }
      : response;
  });

/** Responds to the cancellation of some messages as usual, but does nothing. */
export const ignoresCancel = (title: string, which: Which): Mutant =>
  withPast("SCHED-13", title, async (request, next, { history }) => {
    const message = history.messageOf(request);
    if (!isCancel(request) || message === undefined || !which(message, request)) return next(request);
    const found = await next(lookupAt(request));
    if (objectOf(found.body).status !== "scheduled") return next(request);
    return { ...found, body: { id: objectOf(found.body).id, status: "canceled" } };
  });

export const set =
  (changes: Json) =>
  (record: Json): Json => ({ ...record, ...changes });

/** The change for the records with a status, and none for others. */
export const when =
  (status: string, change: (record: Json, message: Message, now: number) => Json) =>
  (record: Json, message: Message, now: number): Json =>
    record.status === status ? change(record, message, now) : record;

export const eventsOf = (record: Json): Json[] => listOf(record.events).map(objectOf);

export const withoutEvent =
  (type: string) =>
  (record: Json): Json => ({ ...record, events: eventsOf(record).filter((event) => event.type !== type) });

/** The record as if nothing had happened to the message since it was sent. */
export const onItsWay = (record: Json, status = "sent"): Json => ({
  ...record,
  ...{ status, delivered_at: null, bounced_at: null, complained_at: null, bounce: null },
  events: eventsOf(record).filter(({ type }) => type === "sent"),
});

/** Whether a post is affected, by what was known before it. */
export type WhichPost = (given: {
  body: Json;
  request: MutantRequest;
  member?: Member;
  contact?: Contact;
}) => boolean;

export const isUpdate: WhichPost = ({ member }) => member !== undefined;

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
