import { hash } from "node:crypto";
import { isObject, jsonOf, sortedJson } from "../../lib/objects.ts";
import type { Role } from "../engine/settings.ts";
import { isSuccess } from "../exchange.ts";
import { within } from "../model/judge.ts";
import { isFinal } from "../model/rules/contacts.ts";
import { listsOfOthers } from "../model/rules/lists.ts";
import {
  type Contact,
  emptyState,
  entriesIn,
  type Json,
  type Message,
  type ModelState,
  timeOf,
} from "../model/state.ts";
import { bodyProperties } from "./places.ts";
import {
  isFresh,
  type KnownAccount,
  type KnownContact,
  type KnownKeyed,
  type Observation,
  type ObserverState,
} from "./state.ts";
import type { ServerTime } from "./window.ts";

/** The state of the model before a request: what is known of its subjects, and the rest as its response says. */
export function modelBefore(state: ObserverState, one: Observation): ModelState {
  const { key, operation } = one;
  const contact = contactOf(state, one);
  const message = messageOf(state, one);
  const known = knownContact(state, one);
  return {
    ...emptyState,
    messages: [...(message === undefined ? [] : [message]), ...sentBefore(state, one)],
    contacts: contact === undefined ? [] : [contact],
    keyed: keyedOf(state, one),
    listings: new Map([[key.account, listingsOf(state, one)]]),
    last: known?.reasons ?? { account: key.account, ids: operation === "getContact" ? ["CONT-23"] : [] },
  };
}

/** What is known of the contact of a request by a key of the same account. */
export function knownContact(state: ObserverState, { contact, key }: Observation): KnownContact | undefined {
  const known = contact === undefined || !state.areContactsKnown ? undefined : state.contacts.get(contact);
  return known?.account === key.account ? known : undefined;
}

const receivedBy = ({ exchange }: Observation): Json => (isObject(exchange.json) ? exchange.json : {});

function contactOf(state: ObserverState, one: Observation): Contact | undefined {
  const { operation, key, exchange, body, path } = one;
  if (one.contact === undefined) return undefined;
  const known = knownContact(state, one);
  const fresh = known !== undefined && isFresh(state, one, known.at);
  if (!isSuccess(exchange)) return known?.contact;
  // A contact that the account had not seen a moment ago.
  if (fresh && known.contact === undefined && operation !== "upsertContact") return undefined;
  const email = String(operation === "upsertContact" ? body.email : path.email).toLowerCase();
  const { isAllTraffic } = state;
  const view = { account: key.account, email, known, isFresh: fresh, isAllTraffic, time: one.time };
  if (operation !== "upsertContact") return contactBefore(view, receivedBy(one));
  return contactBeforeUpsert(view, Number(body.list_id), exchange.status, receivedBy(one));
}

function messageOf(state: ObserverState, one: Observation): Message | undefined {
  if (one.message === undefined) return undefined;
  const { path, key, time, exchange, operation } = one;
  const known = state.messages.get(one.message);
  if (known === undefined) {
    const learned = learnedMessage(key.account, String(path.id), time);
    return operation === "getEmail"
      ? withRecord(learned, receivedBy(one))
      : { ...learned, dueAt: time.now + 1 };
  }
  const { message, isWhole } = known;
  // Whether two keys have one account is known of those of the configuration only.
  const isOther = key.isConfigured && known.isAccountKnown;
  const own = isOther ? message : { ...message, account: key.account };
  const isUnseen =
    !isWhole && message.record === undefined && operation === "getEmail" && isSuccess(exchange);
  return isUnseen ? withRecord(own, receivedBy(one)) : own;
}

/** The messages with the ids of a response to a send, which should be new. */
function sentBefore(state: ObserverState, one: Observation): Message[] {
  if (one.operation !== "sendEmail" && one.operation !== "sendBatch") return [];
  const { id, data } = receivedBy(one);
  const ids = [id, ...(Array.isArray(data) ? data.map((entry) => (entry as Json | null)?.id) : [])];
  return ids.flatMap((own) => {
    const known = typeof own === "string" ? state.messages.get(own) : undefined;
    return known?.isWhole === true ? [known.message] : [];
  });
}

/** The digests of a body: of its bytes, and of its JSON value. */
export function digestsOf({ exchange, body }: Observation): Pick<KnownKeyed, "bytes" | "value"> {
  const digest = (text: string): string => hash("sha256", text, "base64").slice(0, 24);
  return { bytes: digest(exchange.sent.text ?? ""), value: digest(sortedJson(body)) };
}

/** The earlier request with the idempotency key; its body is that of this one if they are the same. */
function keyedOf(state: ObserverState, one: Observation): ModelState["keyed"] {
  const known = one.keyed === undefined ? undefined : state.keyed.get(one.keyed);
  if (known === undefined || one.idempotencyKey === undefined) return [];
  const { operation, key, body, idempotencyKey, exchange } = one;
  const isSame = digestsOf(one).value === known.value;
  const request = { operation, key: key.role, body: isSame ? body : {}, idempotencyKey };
  const json = jsonOf(known.text);
  const first = { ...exchange, status: known.status, json: isObject(json) ? json : {} };
  return [{ request, exchange: first, at: known.at }];
}

/** The lists and custom fields that an account has, with the list of the request if it exists by the response. */
function listingsOf(state: ObserverState, one: Observation): KnownAccount["listings"] {
  const { key, operation, exchange, body } = one;
  const account = state.account(key.account);
  const { lists, fields } = isFresh(state, one, account.listedAt) ? account.listings : {};
  if (operation.startsWith("list")) return { ...(lists && { lists }), ...(fields && { fields }) };
  const id = body.list_id;
  const listed = lists?.find((list) => list.id === id);
  const isOfOther =
    key.isConfigured && listsOfOthers({ account: key.account, fixtures: state.fixtures }).includes(id);
  const isRuledOut = exchange.status === 404 || isOfOther || (lists !== undefined && state.isAllTraffic);
  const isMissing = isRuledOut && !account.lists.has(Number(id)) && listed === undefined;
  const assumed: Json[] =
    typeof id !== "number" || listed !== undefined || isMissing
      ? []
      : [{ id, double_opt_in: account.lists.get(id) ?? receivedBy(one).status === "pending" }];
  return { lists: [...(lists ?? []), ...assumed], ...(fields && { fields }) };
}

/** A list that stands for all those that are not known: their memberships may have any details. */
export const unknownList = -1;

interface ContactView {
  account: Role;
  email: string;
  known: KnownContact | undefined;
  /** Whether nobody else can have changed the contact since. */
  isFresh: boolean;
  /** Whether all requests to the account are in the traffic. */
  isAllTraffic: boolean;
  time: ServerTime;
}

/** The contact before a request that succeeded. What is not known of it is assumed to be as the response says. */
function contactBeforeUpsert(view: ContactView, list: number, status: number, json: Json): Contact {
  const { account, email, known, isFresh } = view;
  const before = known?.contact;
  const memberships = new Map(before?.memberships);
  const isWhole = isFresh && known?.isComplete === true;
  const own = memberships.get(list);
  const current = own?.map((one) => currentOf(view, one, json));
  if (current !== undefined) memberships.set(list, current);
  else if (!isWhole && status !== 201) memberships.set(list, [json]);
  if (!isWhole) memberships.set(unknownList, [json]);
  const isBack = json.status === "pending" || json.status === "subscribed";
  const hasLeft = known?.isLeavingKnown === true && (isFresh || !isBack) ? before?.hasLeft === true : !isBack;
  return { account, email, memberships, hasLeft: own === undefined ? hasLeft : before?.hasLeft === true };
}

/** The same before a request whose response has all memberships. */
function contactBefore(view: ContactView, record: Json): Contact {
  const { account, email, known, isFresh, isAllTraffic } = view;
  const lists = entriesIn(record.lists).filter(isObject);
  const shown = new Map(lists.map((one) => [Number(one.list_id), one]));
  const before = known?.contact;
  const isWhole = isFresh && known?.isComplete === true;
  const memberships = new Map<number, readonly Json[]>();
  for (const [list, possible] of before?.memberships ?? []) {
    const one = shown.get(list);
    memberships.set(list, one === undefined ? possible : possible.map((own) => currentOf(view, own, one)));
  }
  if (!isWhole) for (const [list, one] of shown) if (!memberships.has(list)) memberships.set(list, [one]);
  const isBlocked = record.marketing_blocked === true;
  const isKnown = known?.isLeavingKnown === true && isFresh && (isAllTraffic || !isBlocked);
  const isBack = [...shown.values()].some(({ status }) => status === "subscribed" || status === "pending");
  const hasLeft = isKnown && (isAllTraffic || !isBack) ? before?.hasLeft === true : isBlocked;
  return { account, email, memberships, hasLeft };
}

/** A membership, by what is known of it and by what a response says that its person did since. */
function currentOf({ known, isFresh, isAllTraffic, time }: ContactView, before: Json, shown: Json): Json {
  // What is known was so for a while, and clocks differ.
  const isRecent = within((known?.at ?? 0) - 120_000, time.now);
  const { status, subscribed_at, unsubscribed_at } = shown;
  const isConfirmed = before.status === "pending" && status === "subscribed" && isRecent(subscribed_at);
  const hasJoined =
    status === "subscribed" && isRecent(subscribed_at) && subscribed_at !== before.subscribed_at;
  const hasLeft = status === "unsubscribed" && isRecent(unsubscribed_at);
  const isEnded = status === "complained" || status === "cleaned";
  const hasActed = isConfirmed || (!isAllTraffic && (hasJoined || hasLeft || isEnded));
  if (hasActed) return { ...(isFresh ? before : shown), status, subscribed_at, unsubscribed_at };
  if (isFresh) return before;
  // Others may have changed its details. Nobody but its person puts it back.
  return isFinal(before) ? { ...shown, status: before.status } : shown;
}

/** A recipient that nobody has: a record does not show all recipients. */
const unknownRecipient = "?";

/** A message that only responses about it show. */
const learnedMessage = (account: Role, id: string, { now }: ServerTime): Message => ({
  account,
  id,
  sent: {},
  kind: "scheduled",
  acceptedAt: now,
  dueAt: null,
  isCanceled: false,
  suppressed: [],
  siblings: [],
  isMoved: false,
  since: [],
  record: undefined,
});

const sendProperties = bodyProperties.get("sendEmail") ?? new Set<string>();

/** A message with what its record says of its send. */
function withRecord(message: Message, record: Json): Message {
  const { scheduled_at, ...others } = record;
  const { sent_at, status } = others;
  const scheduledAt = timeOf(scheduled_at);
  const sentAt = timeOf(sent_at);
  const isScheduled = !Number.isNaN(scheduledAt) && scheduled_at !== null;
  const shown = Object.entries(others).filter(([name]) => sendProperties.has(name));
  return {
    ...message,
    sent: { ...Object.fromEntries(shown), cc: [unknownRecipient] },
    kind: isScheduled ? "scheduled" : status === "scheduled" ? "batch" : "immediate",
    acceptedAt: sent_at === null || Number.isNaN(sentAt) ? message.acceptedAt : sentAt,
    dueAt: isScheduled ? scheduledAt : null,
    isCanceled: message.isCanceled || status === "canceled",
  };
}

/** What no later response shows of a send, and what needs memory. */
const dropped = ["html", "text", "variables", "headers", "attachments"];

/** A message without what no later response shows, such as its text. */
export function trimmed(message: Message): Message {
  const part = (all: Json): Json =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !dropped.includes(name)));
  return {
    ...message,
    sent: part(message.sent),
    siblings: entriesIn<Json>(message.siblings).slice(0, 2).map(part),
  };
}
