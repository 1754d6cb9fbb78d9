import { isObject } from "../../lib/objects.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { messagesIn } from "../model/rules/allowance.ts";
import { contactOf, entriesIn, type Json, type ModelState } from "../model/state.ts";
import { type Evidence, isFresh, type Observation, type ObserverState } from "./state.ts";
import { digestsOf, knownContact, trimmed, unknownList } from "./state-before.ts";
import { shortened } from "./tally.ts";

/** Forgets the subjects of a request whose effect is not known. */
export function forget(state: ObserverState, one: Pick<Observation, "message" | "contact" | "keyed">): void {
  const { message, contact, keyed } = one;
  if (message !== undefined) state.messages.delete(message);
  if (contact !== undefined) state.contacts.delete(contact);
  if (keyed !== undefined) state.keyed.delete(keyed);
  if ((message ?? contact ?? keyed) !== undefined) state.isWhole = false;
}

/** Remembers what a response shows. @param model the state of the model after it; undefined if it was not compared with the model */
export function learn(state: ObserverState, one: Observation, model: ModelState | undefined): void {
  const { exchange, operation } = one;
  if (isSuccess(exchange)) learnOfAccount(state, one);
  if (model !== undefined) {
    learnMessages(state, one, model);
    learnContact(state, one, model);
  }
  if (isSuccess(exchange) && one.keyed !== undefined && exchange.text.length < longest)
    learnKeyed(state, one, one.keyed);
  if (operation.startsWith("list") && isSuccess(exchange)) learnListing(state, one);
}

function evidenceOf(exchange: Exchange, before: Evidence = []): Evidence {
  const changes = before.filter(({ request }) => request.method !== "GET");
  const own = shortened(exchange);
  if (exchange.request.method === "GET") return isSuccess(exchange) ? [...changes, own] : before;
  return isSuccess(exchange) ? [own] : [...changes.slice(0, 1), own];
}

/** A longer response is not kept to compare replays with. */
const longest = 64 * 1024;

function learnMessages(state: ObserverState, one: Observation, model: ModelState): void {
  const isSend = one.operation === "sendEmail" || one.operation === "sendBatch";
  if (isSend && !isSuccess(one.exchange)) return;
  const { isConfigured } = one.key;
  for (const message of model.messages) {
    const known = state.messages.get(message.id);
    if (isSend && known !== undefined) continue;
    const own = isSend ? trimmed(message) : message;
    if (!isSend && !isSuccess(one.exchange) && known === undefined) continue;
    // A response to another key does not show that it has the same account.
    const account = known?.message.account ?? own.account;
    state.messages.set(message.id, {
      message: { ...own, account },
      isWhole: isSend || known?.isWhole === true,
      isAccountKnown: known?.isAccountKnown ?? isConfigured,
      shown: evidenceOf(one.exchange, known?.shown),
    });
  }
}

function learnContact(state: ObserverState, one: Observation, model: ModelState): void {
  const { key, operation, exchange, path, body, time } = one;
  if (one.contact === undefined) return;
  const before = knownContact(state, one);
  const now = { account: key.account, at: time.now };
  if (!isSuccess(exchange)) {
    if (operation !== "getContact" || exchange.status !== 404) return;
    const absent = { contact: undefined, isComplete: true, isLeavingKnown: true, reasons: undefined };
    state.contacts.set(one.contact, { ...now, ...absent, shown: [shortened(exchange)] });
    return;
  }
  const contact = contactOf(model, key.account, operation === "upsertContact" ? body.email : path.email);
  if (contact === undefined) return;
  const memberships = new Map(contact.memberships);
  memberships.delete(unknownList);
  const isRead = operation !== "upsertContact";
  const wasFresh = before !== undefined && isFresh(state, one, before.at);
  state.contacts.set(one.contact, {
    ...now,
    contact: { ...contact, memberships },
    isComplete: isRead || (wasFresh && before.isComplete),
    isLeavingKnown: isRead || (wasFresh && before.isLeavingKnown),
    reasons: operation === "getContact" ? before?.reasons : model.last,
    shown: evidenceOf(exchange, before?.shown),
  });
}

function learnKeyed(state: ObserverState, one: Observation, keyed: string): void {
  const { exchange, time } = one;
  // A replay does not extend the time in which the key is valid.
  if (exchange.headers["idempotent-replayed"] !== undefined && state.keyed.get(keyed) !== undefined) return;
  const { status, text } = exchange;
  state.keyed.set(keyed, { ...digestsOf(one), status, text, at: time.now, shown: [shortened(exchange)] });
}

function learnListing(state: ObserverState, { key, operation, exchange, time }: Observation): void {
  const name = operation === "listCustomFields" ? "fields" : "lists";
  const account = state.account(key.account);
  const listed = isObject(exchange.json) ? exchange.json[name] : undefined;
  if (!Array.isArray(listed)) return;
  account.listings = { ...account.listings, [name]: entriesIn<Json>(listed) };
  account.listedAt = time.now;
}

/** The most domains and lists of an account that are kept. */
const most = 1000;

function learnOfAccount(state: ObserverState, one: Observation): void {
  const { key, operation, body, exchange } = one;
  const account = state.account(key.account);
  const domains = messagesIn(one).flatMap(({ from }) => String(from).split("@").slice(1, 2));
  for (const domain of domains) if (account.senders.size < most) account.senders.add(domain);
  const { list_id } = body;
  if (typeof list_id !== "number" || account.lists.size >= most) return;
  const status = isObject(exchange.json) ? exchange.json.status : undefined;
  const isNew = operation === "upsertContact" && exchange.status === 201;
  const optIn = isNew && (status === "pending" || status === "subscribed") ? status === "pending" : undefined;
  account.lists.set(list_id, optIn ?? account.lists.get(list_id));
}
