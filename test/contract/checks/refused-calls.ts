import { type Check, check, type Need, type Trial } from "../engine/check.ts";
import type { Call } from "../engine/exchange.ts";
import { given } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { mailNeeds } from "./journeys.ts";
import { addContact, equal, good, later, newContact, refused, schedule } from "./kit.ts";
import { hasStatus, listOf, lookUp } from "./newsletter.ts";
import { shows } from "./records.ts";
import { stateIn } from "./scheduled.ts";

type Key = Exclude<Call["key"], undefined>;

/** Makes a call that is to be refused, and looks whether it was made all the same. */
type Attempt = (tester: Tester, key: Key, isRefused: (exchange: Refusal) => void) => Promise<void>;
type Refusal = Parameters<typeof refused>[0];

const attempts: Record<
  "rescheduleEmail" | "cancelEmail" | "upsertContact" | "unsubscribeContact",
  { needs: readonly Need[]; attempt: Attempt }
> = {
  rescheduleEmail: {
    needs: mailNeeds,
    attempt: async (tester, key, isRefused) => {
      const part = await schedule(tester);
      const before = await good(tester, "getEmail", { part });
      const body = { scheduled_at: later(tester, 7200) };
      isRefused(await tester.ask("rescheduleEmail", { part, key, body }));
      const after = await good(tester, "getEmail", { part });
      equal(after, "the message as it was,", stateIn(after), stateIn(before));
    },
  },
  cancelEmail: {
    needs: mailNeeds,
    attempt: async (tester, key, isRefused) => {
      const part = await schedule(tester);
      isRefused(await tester.ask("cancelEmail", { part, key }));
      shows(await good(tester, "getEmail", { part }), "scheduled");
    },
  },
  upsertContact: {
    needs: ["lists.plain"],
    attempt: async (tester, key, isRefused) => {
      const email = newContact(tester);
      const list_id = given(tester.settings.fixtures.lists?.plain, "lists.plain");
      isRefused(await tester.ask("upsertContact", { key, body: { email, list_id } }));
      refused(await tester.ask("getContact", { part: email }), 404, "not_found");
    },
  },
  unsubscribeContact: {
    needs: ["lists.plain"],
    attempt: async (tester, key, isRefused) => {
      const part = await addContact(tester);
      isRefused(await tester.ask("unsubscribeContact", { part, key, body: {} }));
      hasStatus(await lookUp(tester, part), "subscribed", listOf(tester, "plain"));
    },
  },
};

/** A trial of each call that changes something which can be looked at afterwards. */
const each = (key: Key, status: number, type: string): Trial[] =>
  (Object.keys(attempts) as (keyof typeof attempts)[]).map((operation) => ({
    title: operation,
    operation,
    core: false,
    needs: attempts[operation].needs,
    run: (tester) => attempts[operation].attempt(tester, key, (exchange) => refused(exchange, status, type)),
  }));

/** Calls that are refused for their key do nothing. */
export const refusedCalls: Check[] = [
  check(
    "AUTH-12",
    "a call that is refused for want of a key changes nothing",
    {},
    each(null, 401, "unauthorized"),
  ),
  check(
    "AUTH-14",
    "a call that is refused for its revoked key changes nothing",
    { needs: ["keys.revoked"] },
    each("revoked", 401, "unauthorized"),
  ),
  check(
    "AUTH-15",
    "a call that is refused for want of an ability changes nothing",
    { needs: ["keys.readOnly"] },
    each("readOnly", 403, "forbidden"),
  ),
];
