import { isObject } from "../../lib/is-object.ts";
import type { Role } from "../engine/settings.ts";
import { within } from "../model/findings.ts";
import { isFinal } from "../model/rules/membership.ts";
import { type Contact, entriesIn, type Json } from "../model/world.ts";
import type { ServerTime } from "./clock.ts";
import type { KnownContact } from "./knowledge.ts";

/** A list that stands for all those that are not known: their memberships may have any details. */
export const unknownList = -1;

export interface ContactView {
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
export function contactBeforeUpsert(view: ContactView, list: number, status: number, json: Json): Contact {
  const { account, email, known, isFresh } = view;
  const before = known?.contact;
  const memberships = new Map(before?.memberships);
  const isWhole = isFresh && known?.isComplete === true;
  const own = memberships.get(list);
  if (own !== undefined)
    memberships.set(
      list,
      own.map((one) => currentOf(view, one, json)),
    );
  else if (!isWhole && status !== 201) memberships.set(list, [json]);
  if (!isWhole) memberships.set(unknownList, [json]);
  const isBack = json.status === "pending" || json.status === "subscribed";
  const hasLeft = known?.isLeavingKnown === true && (isFresh || !isBack) ? before?.hasLeft === true : !isBack;
  return { account, email, memberships, hasLeft: own === undefined ? hasLeft : before?.hasLeft === true };
}

/** The same before a request whose response has all memberships. */
export function contactBefore(view: ContactView, record: Json): Contact {
  const { account, email, known, isFresh, isAllTraffic } = view;
  const shown = new Map(
    entriesIn(record.lists)
      .filter(isObject)
      .map((one) => [Number(one.list_id), one]),
  );
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
  const state = { status, subscribed_at, unsubscribed_at };
  const isConfirmed = before.status === "pending" && status === "subscribed" && isRecent(subscribed_at);
  const hasJoined =
    status === "subscribed" && isRecent(subscribed_at) && subscribed_at !== before.subscribed_at;
  const hasLeft = status === "unsubscribed" && isRecent(unsubscribed_at);
  const isEnded = status === "complained" || status === "cleaned";
  const hasActed = isConfirmed || (!isAllTraffic && (hasJoined || hasLeft || isEnded));
  if (hasActed) return { ...(isFresh ? before : shown), ...state };
  if (isFresh) return before;
  // Others may have changed its details. Nobody but its person puts it back.
  return isFinal(before) ? { ...shown, status: before.status } : shown;
}
