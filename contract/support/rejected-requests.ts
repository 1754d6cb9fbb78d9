import type { OperationId } from "../../generated/operations.ts";
import { configured } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { assertEqual, assertError } from "./assertions.ts";
import { addContact, assertMembershipStatus, listId, lookUpContact, newContact } from "./contacts.ts";
import { assertStatus, stateOf } from "./message-records.ts";
import { emailNeeds, lookUpMessage, schedule, secondsAhead } from "./messages.ts";

/** Makes a valid request one that must be rejected. */
export type Spoil = (valid: RequestOptions) => RequestOptions;

/** Sends a request that must be rejected, in each of these ways, and asserts that none of them had an effect. */
type Attempt = (
  tester: Tester,
  ways: readonly Spoil[],
  assertRejection: (exchange: Exchange) => void,
) => Promise<void>;

/** The operations whose effect on one message or contact can be observed. */
export type ChangingOperation = "rescheduleEmail" | "cancelEmail" | "upsertContact" | "unsubscribeContact";

export const attempts: Record<ChangingOperation, { needs: readonly Need[]; attempt: Attempt }> = {
  rescheduleEmail: {
    needs: emailNeeds,
    attempt: async (tester, ways, assertRejection) => {
      const id = await schedule(tester);
      const before = await lookUpMessage(tester, id);
      const valid = { path: { id }, body: { scheduled_at: secondsAhead(tester, 7200) } };
      await rejectEach(tester, "rescheduleEmail", valid, ways, assertRejection);
      const after = await lookUpMessage(tester, id);
      assertEqual(after, "the unchanged message", stateOf(after), stateOf(before));
    },
  },
  cancelEmail: {
    needs: emailNeeds,
    attempt: async (tester, ways, assertRejection) => {
      const id = await schedule(tester);
      await rejectEach(tester, "cancelEmail", { path: { id } }, ways, assertRejection);
      assertStatus(await lookUpMessage(tester, id), "scheduled");
    },
  },
  upsertContact: {
    needs: ["lists.plain"],
    attempt: async (tester, ways, assertRejection) => {
      const email = newContact(tester);
      const list_id = configured(tester.settings.fixtures.lists?.plain, "lists.plain");
      await rejectEach(tester, "upsertContact", { body: { email, list_id } }, ways, assertRejection);
      assertError(await tester.request("getContact", { path: { email } }), 404, "not_found");
    },
  },
  unsubscribeContact: {
    needs: ["lists.plain"],
    attempt: async (tester, ways, assertRejection) => {
      const email = await addContact(tester);
      await rejectEach(tester, "unsubscribeContact", { path: { email }, body: {} }, ways, assertRejection);
      assertMembershipStatus(await lookUpContact(tester, email), "subscribed", listId(tester, "plain"));
    },
  },
};

/** Sends a request in each of these ways and asserts each response. */
export async function rejectEach(
  tester: Tester,
  operation: OperationId,
  valid: RequestOptions,
  ways: readonly Spoil[],
  assertRejection: (exchange: Exchange) => void,
): Promise<void> {
  for (const spoil of ways) assertRejection(await tester.request(operation, spoil(valid)));
}
