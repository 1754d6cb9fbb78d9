import { hash } from "node:crypto";
import { isObject } from "../../lib/is-object.ts";
import { isSuccess } from "../exchange.ts";
import { type Contact, emptyWorld, type Json, type Message, type World } from "../model/world.ts";
import { contactBefore, contactBeforeUpsert } from "./assume-contact.ts";
import { learnedMessage, withRecord } from "./assume-message.ts";
import type { KnownContact, KnownKeyed } from "./knowledge.ts";
import { isFresh, type Observation, type ObserverContext } from "./observation.ts";

/** The world before a request: what is known of its subjects, and the rest as its response says. */
export function worldBefore(context: ObserverContext, one: Observation): World {
  const { key, operation } = one;
  const contact = contactOf(context, one);
  const message = messageOf(context, one);
  const known = knownContact(context, one);
  return {
    ...emptyWorld,
    messages: [...(message === undefined ? [] : [message]), ...sentBefore(context, one)],
    contacts: contact === undefined ? [] : [contact],
    keyed: keyedOf(context, one),
    listings: new Map([[key.account, listingsOf(context, one)]]),
    last: known?.reasons ?? { account: key.account, ids: operation === "getContact" ? ["CONT-23"] : [] },
  };
}

/** What is known of the contact of a request by a key of the same account. */
export function knownContact(
  { knowledge }: ObserverContext,
  { contact, key }: Observation,
): KnownContact | undefined {
  const known = contact === undefined ? undefined : knowledge.contacts.get(contact);
  return known?.account === key.account ? known : undefined;
}

const jsonOf = ({ exchange }: Observation): Json => (isObject(exchange.json) ? exchange.json : {});

function contactOf(context: ObserverContext, one: Observation): Contact | undefined {
  const { operation, key, exchange, body, path } = one;
  if (one.contact === undefined) return undefined;
  const known = knownContact(context, one);
  const fresh = known !== undefined && isFresh(context, one, known.at);
  if (!isSuccess(exchange)) return known?.contact;
  // A contact that the account had not seen a moment ago.
  if (fresh && known.contact === undefined && operation !== "upsertContact") return undefined;
  const email = String(operation === "upsertContact" ? body.email : path.email).toLowerCase();
  const { isAllTraffic } = context;
  const view = { account: key.account, email, known, isFresh: fresh, isAllTraffic, time: one.time };
  if (operation !== "upsertContact") return contactBefore(view, jsonOf(one));
  return contactBeforeUpsert(view, Number(body.list_id), exchange.status, jsonOf(one));
}

function messageOf({ knowledge }: ObserverContext, one: Observation): Message | undefined {
  if (one.message === undefined) return undefined;
  const { path, key, time, exchange, operation } = one;
  const known = knowledge.messages.get(one.message);
  if (known === undefined) {
    const learned = learnedMessage(key.account, String(path.id), time);
    return operation === "getEmail" ? withRecord(learned, jsonOf(one)) : { ...learned, dueAt: time.now + 1 };
  }
  const { message, isWhole } = known;
  // Whether two keys have one account is known of those of the configuration only.
  const isOther = key.isAccountKnown && known.isAccountKnown;
  const own = isOther ? message : { ...message, account: key.account };
  const isUnseen =
    !isWhole && message.record === undefined && operation === "getEmail" && isSuccess(exchange);
  return isUnseen ? withRecord(own, jsonOf(one)) : own;
}

/** The messages with the ids of a response to a send, which should be new. */
function sentBefore({ knowledge }: ObserverContext, one: Observation): Message[] {
  if (one.operation !== "sendEmail" && one.operation !== "sendBatch") return [];
  const { id, data } = jsonOf(one);
  const ids = [id, ...(Array.isArray(data) ? data.map((entry) => (entry as Json | null)?.id) : [])];
  return ids.flatMap((own) => {
    const known = typeof own === "string" ? knowledge.messages.get(own) : undefined;
    return known?.isWhole === true ? [known.message] : [];
  });
}

/** The digests of a body: of its bytes, and of its JSON value. */
export function digestsOf({ exchange, body }: Observation): Pick<KnownKeyed, "bytes" | "value"> {
  const digest = (text: string): string => hash("sha256", text, "base64").slice(0, 24);
  return { bytes: digest(exchange.sent.text ?? ""), value: digest(JSON.stringify(sorted(body))) };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/** The earlier request with the idempotency key; its body is that of this one if they are the same. */
function keyedOf({ knowledge }: ObserverContext, one: Observation): World["keyed"] {
  const known = one.keyed === undefined ? undefined : knowledge.keyed.get(one.keyed);
  if (known === undefined || one.idempotencyKey === undefined) return [];
  const { operation, key, body, idempotencyKey, exchange } = one;
  const isSame = digestsOf(one).value === known.value;
  const request = { operation, key: key.role, body: isSame ? body : {}, idempotencyKey };
  const first = { ...exchange, status: known.status, json: JSON.parse(known.text || "null") as unknown };
  return [{ request, exchange: first, at: known.at }];
}

/** The lists and custom fields that an account has, with the list of the request if it exists by the response. */
function listingsOf(
  context: ObserverContext,
  one: Observation,
): Partial<Record<"lists" | "fields", readonly Json[]>> {
  const { key, operation, exchange, body } = one;
  const account = context.knowledge.account(key.account);
  const fresh = isFresh(context, one, account.listedAt);
  const { lists, fields } = fresh ? account.listings : {};
  if (operation.startsWith("list")) return { ...(lists && { lists }), ...(fields && { fields }) };
  const id = body.list_id;
  const listed = lists?.find((list) => list.id === id);
  const isMissing = exchange.status === 404 && !account.lists.has(Number(id)) && listed === undefined;
  const assumed: Json[] =
    typeof id !== "number" || listed !== undefined || isMissing
      ? []
      : [{ id, double_opt_in: account.lists.get(id) ?? jsonOf(one).status === "pending" }];
  return { lists: [...(lists ?? []), ...assumed], ...(fields && { fields }) };
}
