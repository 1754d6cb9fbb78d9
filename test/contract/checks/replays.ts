import { type Check, check } from "../engine/check.ts";
import { Unreachable } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import { charges, chargesNeeds, noMoreThan } from "./charges.ts";
import { each, inCore, isNew, keyedCall, needs, newKey } from "./keyed.ts";
import {
  addContact,
  assertEqual,
  assertFailNextWorked,
  assertSuccess,
  bodyOf,
  getContact,
  membershipOf,
  newContact,
  requestOk,
  schedule,
  secondsAhead,
} from "./kit.ts";
import { shows } from "./records.ts";
import { atHand } from "./scheduled.ts";

/** What replays do and do not do, and calls that there are none of. */
export const replays: Check[] = [
  check("IDEM-3", "no other call takes an idempotency key", [
    {
      title: "rescheduleEmail",
      operation: "rescheduleEmail",
      core: true,
      needs,
      run: async (tester) => {
        const headers = newKey(tester);
        const part = await schedule(tester);
        await requestOk(tester, "rescheduleEmail", {
          path: { id: part },
          headers,
          body: { scheduled_at: secondsAhead(tester, 7200) },
        });
        const scheduled_at = secondsAhead(tester, 10_800);
        isNew(
          await requestOk(tester, "rescheduleEmail", { path: { id: part }, headers, body: { scheduled_at } }),
        );
        const look = await requestOk(tester, "getEmail", { path: { id: part } });
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
        isNew(await requestOk(tester, "getEmail", { path: { id: part }, headers }));
        isNew(await requestOk(tester, "cancelEmail", { path: { id: part }, headers }));
        const look = await requestOk(tester, "getEmail", { path: { id: part }, headers });
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
        await requestOk(tester, "unsubscribeContact", { path: { email: part }, headers, body: {} });
        const body = { reason: "Another one" };
        isNew(await requestOk(tester, "unsubscribeContact", { path: { email: other }, headers, body }));
        const record = await requestOk(tester, "getContact", { path: { email: other }, headers });
        isNew(record);
        assertEqual(record, "marketing_blocked", bodyOf(record).marketing_blocked, true);
      },
    },
  ]),
  check("IDEM-8", "a replay does nothing again", [
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
    inCore(
      each(async (tester, operation) => {
        const asked = await keyedCall(tester, operation);
        await tester.hook("failNext", { failure: "cut", calls: 1 });
        const first = await tester.request(operation, asked).catch(lost);
        if (first !== undefined) assertFailNextWorked(first);
        const second =
          (await tester.request(operation, asked).catch(lost)) ?? (await tester.request(operation, asked));
        assertSuccess(second);
        assertEqual(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
        const third = await requestOk(tester, operation, asked);
        assertEqual(third, "the body of the first answer,", third.json, second.json);
      }),
      "sendEmail",
    ),
    { tags: ["clock"], needs: ["hooks.failNext"] },
  ),
  check(
    "IDEM-10",
    "a retry after a failure of the service succeeds",
    inCore(
      each(async (tester, operation) => {
        const asked = await keyedCall(tester, operation);
        await tester.hook("failNext", { failure: "503", calls: 1 });
        assertFailNextWorked(await tester.request(operation, asked));
        assertSuccess(await tester.request(operation, asked));
      }),
    ),
    { tags: ["clock"], needs: ["hooks.failNext"] },
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
  await requestOk(tester, "upsertContact", asked);
  await requestOk(tester, "upsertContact", { body: { ...body, first_name: "Second" } });
  await tester.request("upsertContact", asked);
  const membership = membershipOf(await getContact(tester, body.email), list_id);
  assertEqual(tester.exchanges.at(-1), "first_name", membership?.first_name, "Second");
}
