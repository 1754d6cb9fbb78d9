import { configured } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RawRequest } from "../exchange.ts";
import { assertEqual, assertError } from "../support/assertions.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  lookUpContact,
  newContact,
} from "../support/contacts.ts";
import { assertStatus, stateOf } from "../support/message-records.ts";
import { emailNeeds, lookUpMessage, schedule, secondsAhead } from "../support/messages.ts";

type Key = Exclude<RawRequest["key"], undefined>;

/** Sends a request that must be rejected, and asserts that it had no effect. */
type Attempt = (tester: Tester, key: Key, assertRejection: (exchange: Exchange) => void) => Promise<void>;

const attempts: Record<
  "rescheduleEmail" | "cancelEmail" | "upsertContact" | "unsubscribeContact",
  { needs: readonly Need[]; attempt: Attempt }
> = {
  rescheduleEmail: {
    needs: emailNeeds,
    attempt: async (tester, key, assertRejection) => {
      const id = await schedule(tester);
      const before = await lookUpMessage(tester, id);
      const body = { scheduled_at: secondsAhead(tester, 7200) };
      assertRejection(await tester.request("rescheduleEmail", { path: { id }, key, body }));
      const after = await lookUpMessage(tester, id);
      assertEqual(after, "the unchanged message", stateOf(after), stateOf(before));
    },
  },
  cancelEmail: {
    needs: emailNeeds,
    attempt: async (tester, key, assertRejection) => {
      const id = await schedule(tester);
      assertRejection(await tester.request("cancelEmail", { path: { id }, key }));
      assertStatus(await lookUpMessage(tester, id), "scheduled");
    },
  },
  upsertContact: {
    needs: ["lists.plain"],
    attempt: async (tester, key, assertRejection) => {
      const email = newContact(tester);
      const list_id = configured(tester.settings.fixtures.lists?.plain, "lists.plain");
      assertRejection(await tester.request("upsertContact", { key, body: { email, list_id } }));
      assertError(await tester.request("getContact", { path: { email } }), 404, "not_found");
    },
  },
  unsubscribeContact: {
    needs: ["lists.plain"],
    attempt: async (tester, key, assertRejection) => {
      const email = await addContact(tester);
      assertRejection(await tester.request("unsubscribeContact", { path: { email }, key, body: {} }));
      assertMembershipStatus(await lookUpContact(tester, email), "subscribed", listId(tester, "plain"));
    },
  },
};

/** One case per operation whose effect can be observed. */
export const each = (key: Key, status: number, type: string): TestCase[] =>
  (Object.keys(attempts) as (keyof typeof attempts)[]).map((operation) =>
    testCase(operation, { operation, core: false, needs: attempts[operation].needs }, (tester) =>
      attempts[operation].attempt(tester, key, (exchange) =>
        // A list of another account is rejected for its id.
        assertError(exchange, status, type, ...(status === 404 ? ["list_id"] : [])),
      ),
    ),
  );

/** Requests rejected because of their key have no effect. */
export const rejectedRequests: Check[] = [
  check("AUTH-12", "a request rejected for a missing key changes nothing", each(null, 401, "unauthorized")),
  check(
    "AUTH-14",
    "a request rejected for a revoked key changes nothing",
    each("revoked", 401, "unauthorized"),
    { needs: ["keys.revoked"] },
  ),
  check(
    "AUTH-15",
    "a request rejected for a missing ability changes nothing",
    each("readOnly", 403, "forbidden"),
    { needs: ["keys.readOnly"] },
  ),
];
