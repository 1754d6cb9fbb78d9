import { type Check, check } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import { charges, chargesNeeds, noMoreThan } from "./charges.ts";
import { each, inCore, isNew, keyedCall, needs, newKey } from "./keyed.ts";
import {
  addContact,
  contact,
  equal,
  failedAsTold,
  good,
  later,
  membershipIn,
  newContact,
  objectIn,
  schedule,
  succeeded,
} from "./kit.ts";
import { shows } from "./records.ts";
import { atHand } from "./scheduled.ts";

/** What replays do and do not do, and calls that there are none of. */
export const replays: Check[] = [
  check("IDEM-3", "no other call takes an idempotency key", {}, [
    {
      title: "rescheduleEmail",
      operation: "rescheduleEmail",
      core: true,
      needs,
      run: async (tester) => {
        const headers = newKey(tester);
        const part = await schedule(tester);
        await good(tester, "rescheduleEmail", { part, headers, body: { scheduled_at: later(tester, 7200) } });
        const scheduled_at = later(tester, 10_800);
        isNew(await good(tester, "rescheduleEmail", { part, headers, body: { scheduled_at } }));
        const look = await good(tester, "getEmail", { part });
        atHand(look, "scheduled_at", Date.parse(scheduled_at));
      },
    },
    {
      title: "getEmail and cancelEmail",
      operation: "getEmail",
      needs,
      run: async (tester) => {
        const headers = newKey(tester);
        const part = await schedule(tester);
        isNew(await good(tester, "getEmail", { part, headers }));
        isNew(await good(tester, "cancelEmail", { part, headers }));
        const look = await good(tester, "getEmail", { part, headers });
        isNew(look);
        shows(look, "canceled");
      },
    },
    {
      title: "unsubscribeContact and getContact",
      operation: "unsubscribeContact",
      needs: ["lists.plain"],
      run: async (tester) => {
        const headers = newKey(tester);
        const [part, other] = [await addContact(tester), await addContact(tester)];
        await good(tester, "unsubscribeContact", { part, headers, body: {} });
        const body = { reason: "Another one" };
        isNew(await good(tester, "unsubscribeContact", { part: other, headers, body }));
        const record = await good(tester, "getContact", { part: other, headers });
        isNew(record);
        equal(record, "marketing_blocked", objectIn(record).marketing_blocked, true);
      },
    },
  ]),
  check("IDEM-8", "a replay does nothing again", {}, [
    {
      title: "sendEmail",
      operation: "sendEmail",
      core: true,
      needs: chargesNeeds,
      run: async (tester) => noMoreThan(await charges(tester), "replayedSend", "a replayed send"),
    },
    {
      title: "sendBatch",
      operation: "sendBatch",
      core: true,
      needs: chargesNeeds,
      run: async (tester) => noMoreThan(await charges(tester), "replayedBatch", "a replayed batch"),
    },
    {
      title: "upsertContact",
      operation: "upsertContact",
      core: true,
      needs: ["lists.plain"],
      run: replaysNoUpdate,
    },
  ]),
  check(
    "IDEM-10",
    "a retry gets the original answer where the first request went through and its answer was lost",
    // Nothing may run beside it, although the clock is left alone: the next call of anybody would fail.
    { tags: ["clock"], needs: ["hooks.failNext"] },
    inCore(
      each(async (tester, operation) => {
        const asked = await keyedCall(tester, operation);
        await tester.hook("failNext", { failure: "cut", calls: 1 });
        const first = await tester.ask(operation, asked).catch(lost);
        if (first !== undefined) failedAsTold(first);
        const second =
          (await tester.ask(operation, asked).catch(lost)) ?? (await tester.ask(operation, asked));
        succeeded(second);
        equal(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
        const third = await good(tester, operation, asked);
        equal(third, "the body of the first answer,", third.json, second.json);
      }),
      "sendEmail",
    ),
  ),
  check(
    "IDEM-10",
    "a retry after a failure of the service succeeds",
    { tags: ["clock"], needs: ["hooks.failNext"] },
    inCore(
      each(async (tester, operation) => {
        const asked = await keyedCall(tester, operation);
        await tester.hook("failNext", { failure: "503", calls: 1 });
        failedAsTold(await tester.ask(operation, asked));
        succeeded(await tester.ask(operation, asked));
      }),
    ),
  ),
];

/** An answer that got lost, as it was to: the client asks again. */
function lost(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}

/** What was changed after the first request is still there after its replay. */
async function replaysNoUpdate(tester: Tester): Promise<void> {
  const list_id = tester.settings.fixtures.lists?.plain;
  const body = { email: newContact(tester), list_id, first_name: "First" };
  const asked = { body, headers: newKey(tester) };
  await good(tester, "upsertContact", asked);
  await good(tester, "upsertContact", { body: { ...body, first_name: "Second" } });
  await tester.ask("upsertContact", asked);
  const membership = membershipIn(await contact(tester, body.email), list_id);
  equal(tester.exchanges.at(-1), "first_name", membership?.first_name, "Second");
}
