import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { requestOk } from "./assertions.ts";
import { listId, lookUpContact, membership, newContact, unsubscribe, upsert } from "./contacts.ts";
import { newIdempotencyKey } from "./idempotency.ts";

/** A contact on a list, and a list that it is not on. */
interface Subject {
  email: string;
  list: number;
  other: number;
  /** The request that added it. */
  added: RequestOptions;
}

/** States that requests and the hook `confirm` lead to; `blocked` is unsubscribed from everything. */
export const reachableStates = ["pending", "subscribed", "confirmed", "unsubscribed", "blocked"] as const;
export type ReachableState = (typeof reachableStates)[number];

/** The status of a membership in a state. */
export const statusIn: Record<ReachableState, string> = {
  pending: "pending",
  subscribed: "subscribed",
  confirmed: "subscribed",
  unsubscribed: "unsubscribed",
  blocked: "unsubscribed",
};

const hasOptIn = (state: ReachableState): boolean => state === "pending" || state === "confirmed";

async function contactIn(tester: Tester, state: ReachableState): Promise<Subject> {
  const [plain, second] = [listId(tester, "plain"), listId(tester, "second")];
  const [list, other] = hasOptIn(state) ? [listId(tester, "doubleOptIn"), plain] : [plain, second];
  const email = newContact(tester);
  const added = { body: { email, list_id: list }, headers: newIdempotencyKey(tester) };
  await requestOk(tester, "upsertContact", added);
  if (state === "confirmed") await confirmContact(tester, email, list);
  if (state === "unsubscribed") await unsubscribe(tester, email, list);
  if (state === "blocked") await unsubscribe(tester, email);
  return { email, list, other, added };
}

/** Confirms a pending contact, and looks it up until it is no longer pending. */
export async function confirmContact(tester: Tester, email: string, list: number): Promise<Exchange> {
  await tester.hook("confirm", { email, list });
  return tester.until(
    () => lookUpContact(tester, email),
    (exchange) => membership(exchange, list).status !== "pending",
    tester.settings.deadlines.dispatch,
  );
}

/** Details of every kind and a consent: none of them changes a status. */
export function newDetails({ settings }: Tester): Record<string, unknown> {
  const { text } = settings.fixtures.fields ?? {};
  return {
    first_name: "Again",
    last_name: "Once",
    tags: ["contract-again"],
    ...(text === undefined ? {} : { fields: { [text]: "Leeds" } }),
    consent: { detail: "Ticked the newsletter box once more." },
  };
}

/** Requests that leave the membership's status as it is, in this order. */
const writes = {
  "an update": (tester, { email, list }) => upsert(tester, email, list, newDetails(tester)),
  "an update with an idempotency key": (tester, { email, list }) =>
    requestOk(tester, "upsertContact", {
      body: { email, list_id: list },
      headers: newIdempotencyKey(tester),
    }),
  "an update in upper case": (tester, { email, list }) => upsert(tester, email.toUpperCase(), list),
  "a replay of the first request": (tester, { added }) => requestOk(tester, "upsertContact", added),
  "an update on another list": (tester, { email, other }) => upsert(tester, email, other),
  "an unsubscribe from another list": (tester, { email, other }) => unsubscribe(tester, email, other),
} satisfies Record<string, (tester: Tester, subject: Subject) => Promise<Exchange>>;

export type MembershipWrite = keyof typeof writes;

export interface Written {
  response: Exchange;
  /** The contact record looked up after it. */
  after: Exchange;
}

/** A contact in a state, and what each of the requests leads to. */
export const writesIn = (tester: Tester, state: ReachableState) =>
  tester.once(`further requests for a ${state} contact`, async (own) => {
    const subject = await contactIn(own, state);
    const written = {} as Record<MembershipWrite, Written>;
    for (const name of Object.keys(writes) as MembershipWrite[]) {
      const response = await writes[name](own, subject);
      written[name] = { response, after: await lookUpContact(own, subject.email) };
    }
    return { list: subject.list, written };
  });

/** A contact in a state that is unsubscribed from its list or from everything, with a reason. */
export const unsubscribedIn = (tester: Tester, state: ReachableState, from: "list" | "everything") =>
  tester.once(`a ${state} contact unsubscribed from ${from}`, async (own) => {
    const { email, list } = await contactIn(own, state);
    const body = { ...(from === "list" && { list_id: list }), reason: "Asked for it by phone." };
    const response = await requestOk(own, "unsubscribeContact", { path: { email }, body });
    return { list, response, after: await lookUpContact(own, email) };
  });
