import { limits } from "../../../../generated/limits.ts";
import { type Allowed, equals, moment, rejected } from "../allowed.ts";
import { day, type Given, hasPassed, type Message, timeOf, withMessage } from "../world.ts";
import { recordFindings } from "./message-record.ts";
import { isWithout } from "./recipients.ts";

const find = ({ world, account, path }: Given): Message | undefined =>
  world.messages.find((message) => message.account === account && message.id === path.id);

/** Whether a message was sent too long ago to be looked up. */
const isGone = ({ acceptedAt, dueAt }: Message, { now }: Given): boolean | undefined =>
  hasPassed(limits.messageLookup * day, now - (dueAt ?? acceptedAt));

/** A lookup of a message. */
export function getEmail(given: Given): Allowed[] {
  const message = find(given);
  if (message === undefined) return [rejected(["LOOK-23", "AUTH-2"], "404.not_found")];
  const found: Allowed = {
    ids: ["LOOK-1", "LOOK-22", "BATCH-13", "SCHED-21"],
    status: "2XX",
    effect: (record) => ({
      world: withMessage(given.world, { ...message, record }),
      findings: recordFindings(message, record, given),
    }),
  };
  const gone = rejected(["LOOK-22"], "404.not_found");
  // Of a message of a batch whose recipients are all suppressed, everything is unspecified.
  if (isWithout(message.suppressed, message.sent)) return [found, gone];
  if (isGone(message, given) === false) return [found];
  // How long a message that is never sent can be looked up is unspecified.
  return isGone(message, given) === true && !message.isCanceled ? [gone] : [found, gone];
}

/** A new time for a scheduled message. */
export const rescheduleEmail = (given: Given): Allowed[] =>
  change(given, "SCHED-12", rejected(["SCHED-11"], "409.not_reschedulable"), (message) => ({
    ids: ["SCHED-8", "SCHED-9"],
    status: "2XX",
    effect: (json) => {
      const { scheduled_at: time } = given.body;
      const dueAt = timeOf(time);
      return {
        world: withMessage(given.world, { ...message, dueAt }),
        // A success may have no body.
        findings: [equals(["SCHED-9"], "scheduled_at", json?.scheduled_at ?? time, moment(dueAt))],
      };
    },
  }));

/** The cancellation of a scheduled message. */
export const cancelEmail = (given: Given): Allowed[] =>
  change(given, "SCHED-18", rejected(["SCHED-17"], "409.not_cancellable"), (message) => ({
    ids: ["SCHED-13"],
    status: "2XX",
    effect: (json) => ({
      world: withMessage(given.world, { ...message, isCanceled: true }),
      findings: [equals(["SCHED-15"], "status", json?.status, "canceled")],
    }),
  }));

function change(
  given: Given,
  idOfUnknown: string,
  late: Allowed,
  doneTo: (message: Message) => Allowed,
): Allowed[] {
  const message = find(given);
  const unknown = rejected([idOfUnknown, "AUTH-2"], "404.not_found");
  if (message === undefined) return [unknown];
  // The response is unspecified, but a canceled message stays canceled.
  if (message.isCanceled || isWithout(message.suppressed, message.sent))
    return [
      { ids: [], status: "2XX" },
      { ids: [], status: "4XX" },
    ];
  const done = doneTo(message);
  // Whether a message can be changed after the lookup period is unspecified.
  const gone = isGone(message, given) === false ? [] : [unknown];
  const { dueAt, kind, record } = message;
  // A batch goes out within moments.
  if (kind === "batch" && (record?.sent_at ?? null) === null) return [done, late, ...gone];
  if (dueAt === null || given.sentAt > dueAt) return [late, ...gone];
  return given.now < dueAt ? [done] : [done, late];
}
