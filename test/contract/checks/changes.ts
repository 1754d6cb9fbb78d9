import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import type { TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { mailNeeds } from "./journeys.ts";
import { requestOk, secondsAhead } from "./kit.ts";
import { scheduledMessage } from "./scheduled.ts";

/** In seconds. */
export const hours = 3600;
const days = 24 * hours;
/** For laws that are shown by moving the clock. */
export const byClock = { needs: ["hooks.advanceClock", ...mailNeeds], tags: ["clock"] } as const;

/** The one trial of a law that others show in fewer requests. */
export const inFull = (run: TestCase["run"]): TestCase[] => [{ title: "", core: false, run }];

/** What is asked of a message that it is too late for, or that there is not, by operation. */
export const change = {
  rescheduleEmail: (tester: Tester, part: string) =>
    tester.request("rescheduleEmail", {
      path: { id: part },
      body: { scheduled_at: secondsAhead(tester, 2 * hours) },
    }),
  cancelEmail: (tester: Tester, part: string) => tester.request("cancelEmail", { path: { id: part } }),
} satisfies Partial<Record<OperationId, unknown>>;
/** A change of a scheduled message, by its operation. */
export type Change = keyof typeof change;

/** What another account's key does to a scheduled message, and the message afterwards. */
export const byAnother = (
  tester: Tester,
): Promise<Record<Change, Exchange> & { id: string; look: Exchange }> =>
  tester.once("changes by another account", async (own) => {
    const { id } = await scheduledMessage(own);
    const asked = { path: { id }, key: "otherAccount" } as const;
    const body = { scheduled_at: secondsAhead(own, 2 * hours) };
    const rescheduleEmail = await own.request("rescheduleEmail", { ...asked, body });
    const cancelEmail = await own.request("cancelEmail", asked);
    return { id, rescheduleEmail, cancelEmail, look: await requestOk(own, "getEmail", { path: { id } }) };
  });

/** How far ahead a time may be, on both sides of the limit. In seconds: within, an hour less; beyond, a day and an hour more. */
export const within = limits.scheduleAhead * days - hours;
export const beyond = (limits.scheduleAhead + 1) * days + hours;

/** A scheduled message that is to get a time too far ahead, before and after. */
export const refusedTime = (
  tester: Tester,
): Promise<{ before: Exchange; answer: Exchange; after: Exchange }> =>
  tester.once("a time that is refused", async (own) => {
    const { id: part, look: before } = await scheduledMessage(own);
    const answer = await own.request("rescheduleEmail", {
      path: { id: part },
      body: { scheduled_at: secondsAhead(own, beyond) },
    });
    return { before, answer, after: await requestOk(own, "getEmail", { path: { id: part } }) };
  });
