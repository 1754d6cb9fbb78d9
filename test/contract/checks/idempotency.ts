import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { Unreachable } from "../engine/http.ts";
import { must } from "../engine/promise.ts";
import type { Asked, Tester } from "../engine/tester.ts";
import { charges, chargesNeeds, noMoreThan } from "./charges.ts";
import {
  addContact,
  contact,
  equal,
  good,
  goodCall,
  later,
  membershipIn,
  newContact,
  objectIn,
  refused,
  schedule,
  succeeded,
} from "./kit.ts";
import { shows } from "./records.ts";
import { atHand } from "./scheduled.ts";

const keyed = ["sendEmail", "sendBatch", "upsertContact"] as const satisfies readonly OperationId[];
const needs = ["domains.verified", "simulatorDomain"] as const;

/** A trial of each call that takes a key. */
const each = (run: (tester: Tester, operation: OperationId) => Promise<unknown>): Trial[] =>
  keyed.map((operation) => ({
    title: operation,
    operation,
    core: true,
    needs: operation === "upsertContact" ? ["lists.plain"] : needs,
    run: (tester) => run(tester, operation),
  }));

/** The same trials, of which few are in the profile `core`: those of one operation, or none. */
const inCore = (trials: Trial[], operation?: OperationId): Trial[] =>
  trials.map((trial) => ({ ...trial, core: trial.operation === operation }));

/** What one key brought: the original answer and the one to the same request again. */
interface Pair {
  asked: Asked;
  first: Exchange;
  second: Exchange;
}

const replayed = (tester: Tester, operation: OperationId): Promise<Pair> =>
  tester.once(`a replay of ${operation}`, async (own) => {
    const asked: Asked = {
      ...(await goodCall(own, operation)),
      headers: { "Idempotency-Key": own.run.unique() },
    };
    const first = await good(own, operation, asked);
    return { asked, first, second: await own.ask(operation, asked) };
  });

export const idempotency: Check[] = [
  check(
    "IDEM-1",
    "the same key with the same body is answered with the original answer",
    {},
    each(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      equal(second, "status", second.status, first.status);
      equal(second, "the body of the first answer,", second.json, first.json);
    }),
  ),
  check(
    "IDEM-7",
    "a replayed answer says that it is one, and the original does not",
    {},
    each(async (tester, operation) => {
      const { first, second } = await replayed(tester, operation);
      equal(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
      must(first.headers["idempotent-replayed"] !== "true", first, {
        expected: "no Idempotent-Replayed: true on the original answer",
        found: "Idempotent-Replayed: true",
      });
    }),
  ),
  check(
    "IDEM-2",
    "the same key with another body is refused with 409 idempotency_conflict",
    {},
    each(async (tester, operation) => {
      const { asked } = await replayed(tester, operation);
      const { body } = await goodCall(tester, operation);
      refused(await tester.ask(operation, { ...asked, body }), 409, "idempotency_conflict");
    }),
  ),
  check(
    "IDEM-9",
    "a key is still remembered shortly before the replay window ends",
    { tags: ["clock"], needs: ["hooks.advanceClock"] },
    inCore(
      each(async (tester, operation) => {
        const asked = {
          ...(await goodCall(tester, operation)),
          headers: { "Idempotency-Key": tester.run.unique() },
        };
        const first = await good(tester, operation, asked);
        await tester.hook("advanceClock", { seconds: (limits.idempotencyWindow - 1) * 3600 });
        const second = await tester.ask(operation, asked);
        succeeded(second);
        equal(second, "Idempotent-Replayed", second.headers["idempotent-replayed"], "true");
        equal(second, "the body of the first answer,", second.json, first.json);
      }),
      "sendEmail",
    ),
  ),
  check("IDEM-3", "no other call takes an idempotency key", {}, [
    {
      title: "rescheduleEmail",
      operation: "rescheduleEmail",
      core: true,
      needs,
      run: async (tester) => {
        const headers = { "Idempotency-Key": tester.run.unique() };
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
        const headers = { "Idempotency-Key": tester.run.unique() };
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
        const headers = { "Idempotency-Key": tester.run.unique() };
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
  check(
    "IDEM-4",
    "every character of an idempotency key counts, up to its limit",
    {},
    inCore(
      each(async (tester, operation) => {
        const start = tester.run.unique().padEnd(limits.idempotencyKeyLength - 1, "-");
        for (const last of ["a", "b"]) {
          const headers = { "Idempotency-Key": start + last };
          isNew(await good(tester, operation, { ...(await goodCall(tester, operation)), headers }));
        }
      }),
    ),
  ),
  check(
    "IDEM-6",
    "an idempotency key is new under another API key of the account",
    { needs: ["keys.second"] },
    each(async (tester, operation) => {
      const { asked } = await replayed(tester, operation);
      const { body } = await goodCall(tester, operation);
      isNew(await good(tester, operation, { ...asked, body, key: "second" }));
    }),
  ),
  check(
    "IDEM-6",
    "an idempotency key with the same body is new under another API key of the account",
    { needs: ["keys.second"] },
    inCore(
      each(async (tester, operation) => {
        const { body } = await goodCall(tester, operation);
        const asked = { body, headers: { "Idempotency-Key": tester.run.unique() } };
        await good(tester, operation, asked);
        isNew(await good(tester, operation, { ...asked, key: "second" }));
      }),
    ),
  ),
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
        const asked = {
          ...(await goodCall(tester, operation)),
          headers: { "Idempotency-Key": tester.run.unique() },
        };
        await tester.hook("failNext", { failure: "cut", calls: 1 });
        await tester.ask(operation, asked).catch(lost);
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
        const asked = {
          ...(await goodCall(tester, operation)),
          headers: { "Idempotency-Key": tester.run.unique() },
        };
        await tester.hook("failNext", { failure: "503", calls: 1 });
        await tester.ask(operation, asked);
        succeeded(await tester.ask(operation, asked));
      }),
    ),
  ),
];

/** An answer that got lost, as it was to: the client asks again. */
function lost(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}

/** The answer is no replay. */
function isNew(exchange: Exchange): void {
  must(exchange.headers["idempotent-replayed"] !== "true", exchange, {
    expected: "an answer of its own",
    found: "Idempotent-Replayed: true",
  });
}

/** What was changed after the first request is still there after its replay. */
async function replaysNoUpdate(tester: Tester): Promise<void> {
  const list_id = tester.settings.fixtures.lists?.plain;
  const body = { email: newContact(tester), list_id, first_name: "First" };
  const asked = { body, headers: { "Idempotency-Key": tester.run.unique() } };
  await good(tester, "upsertContact", asked);
  await good(tester, "upsertContact", { body: { ...body, first_name: "Second" } });
  await tester.ask("upsertContact", asked);
  const membership = membershipIn(await contact(tester, body.email), list_id);
  equal(tester.exchanges.at(-1), "first_name", membership?.first_name, "Second");
}
