import { limits } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import { type Exchange, isSuccess } from "../engine/exchange.ts";
import { given, must, NotVerified } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { idInBatch } from "./batches.ts";
import { dueMessages } from "./due.ts";
import { gone, journey, mailNeeds, untilGone } from "./journeys.ts";
import { equal, good, idIn, later, message, objectIn, refused, schedule, shown, simulated } from "./kit.ts";
import { eventsIn, hasTime, inOrder, isNull, lastOf, shows, statusIn } from "./records.ts";
import { atHand, canceledMessage, rescheduledMessage, scheduledMessage, stateIn } from "./scheduled.ts";

const hours = 3600;
const days = 24 * hours;
const needs = mailNeeds;
const byClock = { needs: ["hooks.advanceClock", ...mailNeeds], tags: ["clock"] } as const;

/** The one trial of a law that others show in fewer requests. */
const inFull = (run: Trial["run"]): Trial[] => [{ title: "", core: false, run }];

/** What is asked of a message that it is too late for, or that there is not, by operation. */
const change = {
  rescheduleEmail: (tester: Tester, part: string) =>
    tester.ask("rescheduleEmail", { part, body: { scheduled_at: later(tester, 2 * hours) } }),
  cancelEmail: (tester: Tester, part: string) => tester.ask("cancelEmail", { part }),
} satisfies Partial<Record<OperationId, unknown>>;
type Change = keyof typeof change;

const tooLate = { rescheduleEmail: "not_reschedulable", cancelEmail: "not_cancellable" } as const;

/** Trials of a change that comes too late, for messages that have gone out in one way and another. */
const comesTooLate = (operation: Change): Trial[] =>
  Object.entries(messagesGone).map(([title, idOf], index) => ({
    title,
    operation,
    core: index === 0,
    run: async (tester) =>
      refused(await change[operation](tester, await idOf(tester)), 409, tooLate[operation]),
  }));

const messagesGone = {
  "a message that was delivered": async (tester: Tester) => (await journey(tester, "success")).id,
  "a message that bounced": async (tester: Tester) => (await journey(tester, "bounce")).id,
  "a message whose time has come": async (tester: Tester) => (await dueMessages(tester)).plain.id,
  "a message just sent": async (tester: Tester) =>
    idIn(await good(tester, "sendEmail", { body: message(tester) })),
  "a message of a batch": async (tester: Tester) => {
    const id = await idInBatch(tester, "success");
    await untilGone(tester, id);
    return id;
  },
};

/** Trials of a change to a message that there is not, or not on this account. */
const findsNone = (operation: Change): Trial[] => [
  {
    title: "an id that nobody has",
    operation,
    core: true,
    run: async (tester) =>
      refused(await change[operation](tester, `sched_${tester.run.unique()}`), 404, "not_found"),
  },
  {
    title: "a scheduled message of another account",
    operation,
    core: true,
    needs: ["keys.otherAccount", ...mailNeeds],
    run: async (tester) => refused((await byAnother(tester))[operation], 404, "not_found"),
  },
];

/** What another account's key does to a scheduled message, and the message afterwards. */
const byAnother = (tester: Tester): Promise<Record<Change, Exchange> & { id: string; look: Exchange }> =>
  tester.once("changes by another account", async (own) => {
    const { id } = await scheduledMessage(own);
    const asked = { part: id, key: "otherAccount" } as const;
    const body = { scheduled_at: later(own, 2 * hours) };
    const rescheduleEmail = await own.ask("rescheduleEmail", { ...asked, body });
    const cancelEmail = await own.ask("cancelEmail", asked);
    return { id, rescheduleEmail, cancelEmail, look: await good(own, "getEmail", { part: id }) };
  });

/** How far ahead a time may be, on both sides of the limit. In seconds: within, an hour less; beyond, a day and an hour more. */
const within = limits.scheduleAhead * days - hours;
const beyond = (limits.scheduleAhead + 1) * days + hours;

const farAhead: Trial[] = [
  {
    title: "sendEmail: beyond it",
    operation: "sendEmail",
    core: true,
    run: async (tester) => {
      const body = message(tester, { scheduled_at: later(tester, beyond) });
      refused(await tester.ask("sendEmail", { body }), 422, "invalid_request");
    },
  },
  {
    title: "rescheduleEmail: beyond it",
    operation: "rescheduleEmail",
    core: true,
    run: async (tester) => refused((await refusedTime(tester)).answer, 422, "invalid_request"),
  },
  {
    title: "sendEmail: within it",
    operation: "sendEmail",
    run: async (tester) => {
      const id = await schedule(tester, within);
      await good(tester, "cancelEmail", { part: id });
    },
  },
  {
    title: "rescheduleEmail: within it",
    operation: "rescheduleEmail",
    run: async (tester) => {
      const part = await schedule(tester);
      await good(tester, "rescheduleEmail", { part, body: { scheduled_at: later(tester, within) } });
      await good(tester, "cancelEmail", { part });
    },
  },
];

/** A scheduled message that is to get a time too far ahead, before and after. */
const refusedTime = (tester: Tester): Promise<{ before: Exchange; answer: Exchange; after: Exchange }> =>
  tester.once("a time that is refused", async (own) => {
    const { id: part, look: before } = await scheduledMessage(own);
    const answer = await own.ask("rescheduleEmail", { part, body: { scheduled_at: later(own, beyond) } });
    return { before, answer, after: await good(own, "getEmail", { part }) };
  });

/** What is wrong with a message, and how a send of it is refused. */
const problems: Record<string, Omit<Trial, "title">> = {
  "without a subject": {
    core: true,
    run: async (tester) => {
      const { subject: _, ...body } = message(tester, { scheduled_at: later(tester, hours) });
      refused(await tester.ask("sendEmail", { body }), 422, "invalid_request");
    },
  },
  "from a domain that the account does not have": {
    core: true,
    run: async (tester) => {
      const from = `contract@contract-${tester.run.settings.runId}.example`;
      refused(await scheduled(tester, { from }), [403, 422], "send_rejected");
    },
  },
  "to nobody who can be written to": {
    needs: ["suppressed"],
    run: async (tester) => {
      const to = given(tester.settings.fixtures.suppressed, "suppressed");
      refused(await scheduled(tester, { to }), 422, "send_rejected");
    },
  },
  "with too long a tag": {
    run: async (tester) => {
      const tags = { order: "1".repeat(limits.messageTagValueLength + 1) };
      refused(await scheduled(tester, { tags }), 422, "invalid_request");
    },
  },
  "with an attachment from a private network": {
    run: async (tester) => {
      const attachments = [{ filename: "terms.pdf", path: "https://10.0.0.1/terms.pdf" }];
      const exchange = await scheduled(tester, { attachments });
      must(exchange.status >= 400 && exchange.status < 500, exchange, {
        expected: "a refusal with a status of 400 to 499",
        found: `status ${exchange.status}`,
      });
    },
  },
};

const scheduled = (tester: Tester, changes: Record<string, unknown>): Promise<Exchange> =>
  tester.ask("sendEmail", { body: message(tester, { scheduled_at: later(tester, hours), ...changes }) });

export const scheduling: Check[] = [
  check("SCHED-1", "a send with a scheduled_at waits for its time", { needs }, async (tester) => {
    const { look } = await scheduledMessage(tester);
    isNull(look, "sent_at", "before its time has come");
  }),
  check("SCHED-2", "a time lies no further ahead than the limit", { needs }, farAhead),
  check("SCHED-4", "the answer repeats the recorded time in UTC", { needs }, async (tester) => {
    const { answer, at } = await scheduledMessage(tester);
    atHand(answer, "scheduled_at", at);
    const { scheduled_at } = objectIn(answer);
    must(/(Z|[+-]00:?00)$/i.test(String(scheduled_at)), answer, {
      expected: "scheduled_at in UTC",
      found: shown(scheduled_at),
    });
  }),
  check("SCHED-5", "the answer to a scheduled send lists the suppressed recipients", { needs }, [
    {
      title: "one of two",
      core: true,
      needs: ["suppressed"],
      run: async (tester) => {
        const [none] = given(tester.settings.fixtures.suppressed, "suppressed");
        const answer = await scheduled(tester, { to: [simulated(tester), none] });
        equal(answer, "suppressed", objectIn(answer).suppressed, [none]);
      },
    },
    {
      title: "nobody",
      run: async (tester) => {
        const { answer } = await scheduledMessage(tester);
        equal(answer, "suppressed", objectIn(answer).suppressed, []);
      },
    },
  ]),
  check(
    "SCHED-6",
    "a scheduled message is checked completely when it is handed in",
    { needs },
    Object.entries(problems).map(([title, trial]) => ({ title, ...trial })),
  ),
  check("SCHED-7", "a message taken for later is scheduled", { needs }, async (tester) => {
    shows((await scheduledMessage(tester)).look, "scheduled");
  }),
  check("SCHED-9", "a rescheduled message keeps its id and stays scheduled, at the new time", { needs }, [
    {
      title: "the new time",
      core: true,
      run: async (tester) => {
        const { look, at } = await rescheduledMessage(tester);
        atHand(look, "scheduled_at", at);
        shows(look, "scheduled");
      },
    },
    {
      title: "the same id",
      core: true,
      run: async (tester) => {
        const { id, look, answer } = await rescheduledMessage(tester);
        equal(look, "id", objectIn(look).id, id);
        const { id: told = id } = objectIn(answer);
        equal(answer, "id", told, id);
      },
    },
    {
      title: "an earlier time",
      run: async (tester) => {
        const part = await schedule(tester, 5 * hours);
        const scheduled_at = later(tester, 2 * hours);
        await good(tester, "rescheduleEmail", { part, body: { scheduled_at } });
        const look = await good(tester, "getEmail", { part });
        atHand(look, "scheduled_at", Date.parse(scheduled_at));
      },
    },
    {
      title: "not at the old time",
      core: true,
      run: async (tester) => {
        const { putOff } = await dueMessages(tester);
        shows(putOff.look, "scheduled");
        isNull(putOff.look, "sent_at", "before its new time has come");
      },
    },
  ]),
  check(
    "SCHED-10",
    "a message goes out once only, however often it is rescheduled",
    byClock,
    async (tester) => {
      const part = await schedule(tester, hours);
      for (const ahead of [2, 3]) {
        const body = { scheduled_at: later(tester, ahead * hours) };
        await good(tester, "rescheduleEmail", { part, body });
      }
      for (const _ of [1, 2]) {
        await tester.hook("advanceClock", { seconds: 1.25 * hours });
        const look = await good(tester, "getEmail", { part });
        equal(
          look,
          "the number of events of the type sent before the last time",
          eventsIn(look, "sent").length,
          0,
        );
      }
      await tester.hook("advanceClock", { seconds: hours });
      const look = lastOf(await untilGone(tester, part));
      equal(look, "the number of events of the type sent", eventsIn(look, "sent").length, 1);
    },
  ),
  check(
    "SCHED-11",
    "rescheduling a message that has gone out is refused with 409 not_reschedulable",
    { needs },
    comesTooLate("rescheduleEmail"),
  ),
  check(
    "SCHED-12",
    "rescheduling an id that no message of the account has is not found",
    {},
    findsNone("rescheduleEmail"),
  ),
  check("SCHED-13", "a scheduled message can be canceled and is then canceled", { needs }, async (tester) => {
    const { look } = await canceledMessage(tester);
    shows(look, "canceled");
  }),
  check("SCHED-14", "a canceled message stays canceled and is never sent", { needs }, [
    {
      title: "when its time has passed",
      core: true,
      run: async (tester) => {
        const { look } = (await dueMessages(tester)).canceled;
        shows(look, "canceled");
        isNull(look, "sent_at", "for a message that was canceled");
      },
    },
    {
      title: "whatever is asked of it",
      run: async (tester) => {
        const { id: part } = await canceledMessage(tester);
        // What these answer is not said.
        await change.rescheduleEmail(tester, part);
        await change.cancelEmail(tester, part);
        shows(await good(tester, "getEmail", { part }), "canceled");
      },
    },
  ]),
  check(
    "SCHED-14",
    "a canceled message is not sent when its time has long passed",
    byClock,
    inFull(async (tester) => {
      const part = await schedule(tester, hours);
      await good(tester, "cancelEmail", { part });
      await tester.hook("advanceClock", { seconds: 2 * days });
      const look = await good(tester, "getEmail", { part });
      shows(look, "canceled");
      isNull(look, "sent_at", "for a message that was canceled");
    }),
  ),
  check("SCHED-16", "a message is canceled by a request without a body", { needs }, async (tester) => {
    const { answer } = await canceledMessage(tester);
    must(isSuccess(answer), answer, { expected: "success", found: `status ${answer.status}` });
  }),
  check(
    "SCHED-17",
    "canceling a message that has gone out is refused with 409 not_cancellable",
    { needs },
    comesTooLate("cancelEmail"),
  ),
  check(
    "SCHED-18",
    "canceling an id that no message of the account has is not found",
    {},
    findsNone("cancelEmail"),
  ),
  check("SCHED-19", "a refused change of time or cancellation leaves the message as it was", { needs }, [
    {
      title: "a time too far ahead",
      core: true,
      run: async (tester) => {
        const { before, answer, after } = await refusedTime(tester);
        if (!isSuccess(answer)) equal(after, "the message as it was,", stateIn(after), stateIn(before));
      },
    },
    {
      title: "a change of time that comes too late",
      core: true,
      run: (tester) => stays(tester, "rescheduleEmail"),
    },
    {
      title: "a cancellation that comes too late",
      core: true,
      run: (tester) => stays(tester, "cancelEmail"),
    },
    {
      title: "by another account",
      core: true,
      needs: ["keys.otherAccount"],
      run: async (tester) => {
        const { look } = await byAnother(tester);
        shows(look, "scheduled");
      },
    },
  ]),
  check("SCHED-20", "a scheduled message goes out when its time comes", { needs }, [
    {
      title: "soon",
      core: true,
      run: async (tester) => {
        const { at, plain } = await dueMessages(tester);
        goesOutAt(lastOf(plain.looks), at);
      },
    },
  ]),
  check(
    "SCHED-20",
    "a scheduled message waits until its time comes, and goes out then",
    byClock,
    inFull(async (tester) => {
      const at = later(tester, 5 * hours);
      const part = idIn(await good(tester, "sendEmail", { body: message(tester, { scheduled_at: at }) }));
      await tester.hook("advanceClock", { seconds: 4 * hours });
      shows(await good(tester, "getEmail", { part }), "scheduled");
      await tester.hook("advanceClock", { seconds: 1.25 * hours });
      goesOutAt(lastOf(await untilGone(tester, part)), Date.parse(at));
    }),
  ),
  check(
    "SCHED-21",
    "the id of a scheduled message still finds it after it has gone out",
    { needs },
    async (tester) => {
      const { id, looks } = (await dueMessages(tester)).plain;
      const found = lastOf(looks);
      equal(found, "id", objectIn(found).id, id);
      shows(found, ...gone);
    },
  ),
];

/** A message has gone out, and not before its time. */
function goesOutAt(look: Exchange, at: number): void {
  shows(look, ...gone);
  inOrder(look, ["its time", at], ["sent_at", hasTime(look, "sent_at")]);
}

/** A message that has come to its end stays as it is, whatever is asked of it. */
async function stays(tester: Tester, operation: Change): Promise<void> {
  const { id: part, looks } = await journey(tester, "success");
  if (statusIn(lastOf(looks)) !== "delivered") throw new NotVerified("No message has come to its end.");
  const answer = await change[operation](tester, part);
  // That it is not refused breaks another promise.
  if (isSuccess(answer)) return;
  const after = await good(tester, "getEmail", { part });
  equal(after, "the message as it was,", stateIn(after), stateIn(lastOf(looks)));
}
