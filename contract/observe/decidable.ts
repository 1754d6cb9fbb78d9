import { errorOf, isSuccess } from "../exchange.ts";
import { messagesIn } from "../model/rules/recipients.ts";
import type { Given, Json } from "../model/world.ts";
import { type Observation, type ObserverContext, typeOf } from "./observation.ts";
import { digestsOf, knownContact } from "./world-before.ts";

/** Errors that any request can get for what the traffic does not show: the key, the account, its plan, domains and limits. */
const unexplained = [401, 402, 403, 413, 429];

/** Whether all is known that the response to a request depends on. */
export function isDecidable(context: ObserverContext, one: Observation, isSpecified: boolean): boolean {
  const { exchange, operation } = one;
  if (operation === "getMe" || exchange.status >= 500 || exchange.status < 200) return false;
  if (!isReplayKnown(context, one)) return false;
  return isSuccess(exchange) || isErrorDecidable(context, one, isSpecified);
}

/** Whether the first request with the idempotency key is known, if there was one, and whether its body is the same. */
function isReplayKnown(context: ObserverContext, one: Observation): boolean {
  const { exchange, keyed } = one;
  const isReplay = exchange.headers["idempotent-replayed"] !== undefined;
  const isConflict = typeOf(exchange) === "idempotency_conflict";
  const known = keyed === undefined ? undefined : context.knowledge.keyed.get(keyed);
  if (known === undefined)
    return (
      !(isReplay || isConflict) ||
      (context.isAllTraffic && context.knowledge.isWhole && keyed !== undefined && isReplay)
    );
  const { bytes, value } = digestsOf(one);
  // Whether a body in other bytes is the same is unspecified.
  return bytes === known.bytes || value !== known.value;
}

function isErrorDecidable(context: ObserverContext, one: Observation, isSpecified: boolean): boolean {
  const { exchange, key } = one;
  const { status } = exchange;
  const type = typeOf(exchange);
  if (status === 429 && type === "rate_limited") return false;
  // A key can stop working at any time.
  const lasts = context.isAllTraffic && key.isConfigured && key.role !== "replaced";
  if (status === 401 && key.role !== "revoked" && !lasts) return false;
  // Servers may take the scheme literally.
  if (status === 401 && !/^Bearer \S+$/.test(exchange.sent.headers.authorization ?? "")) return false;
  if (unexplained.includes(status) || type === "send_rejected")
    return key.isConfigured && isSpecified && areSendersConfigured(context, one);
  if (status === 404) return isFoundKnown(context, one);
  if (status === 409) return isConflictKnown(context, one);
  return isSpecified && isBodyNamed(one);
}

/** Whether the configuration says which account each sender belongs to. */
function areSendersConfigured({ fixtures }: ObserverContext, one: Observation): boolean {
  const { domains = {} } = fixtures;
  const { verified, restricted, unfinished, stopped, ofRole = {} } = domains;
  const all = [verified, restricted, unfinished, stopped, ...Object.values(ofRole)];
  return messagesIn(one as unknown as Given).every(({ from }) =>
    all.includes(String(from).split("@")[1] ?? ""),
  );
}

/** Whether something is known to exist that a response says does not. */
function isFoundKnown(context: ObserverContext, one: Observation): boolean {
  const { knowledge } = context;
  const { operation, body, key } = one;
  if (one.message !== undefined) {
    const known = knowledge.messages.get(one.message);
    const isAccountKnown =
      known?.message.account === key.account || (key.isAccountKnown && known?.isAccountKnown);
    return known !== undefined && isAccountKnown === true;
  }
  const contact = knownContact(context, one);
  if (operation === "getContact") return contact !== undefined;
  const account = knowledge.account(key.account);
  const list = Number(body.list_id);
  const { lists = {} } = context.fixtures;
  const isConfigured = key.account === "full" && Object.values(lists).includes(list);
  const isListKnown =
    body.list_id === undefined || isConfigured || (context.isAllTraffic && account.lists.has(list));
  return isListKnown && (operation === "upsertContact" || contact?.contact !== undefined);
}

function isConflictKnown({ knowledge }: ObserverContext, one: Observation): boolean {
  if (typeOf(one.exchange) === "idempotency_conflict") return true;
  const known = one.message === undefined ? undefined : knowledge.messages.get(one.message);
  return known?.isWhole === true;
}

/** Whether the error names properties of the body: another fault need not be in it. */
function isBodyNamed({ exchange }: Observation): boolean {
  const fields = errorOf(exchange)?.fields as Json | undefined;
  return Object.keys(fields ?? {}).length > 0;
}
