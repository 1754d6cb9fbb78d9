import { limits } from "../../../generated/limits.ts";
import { type Allowed, notFound, rejected, success } from "../allowed.ts";
import { equals, moment } from "../findings.ts";
import {
  day,
  type Given,
  hasPassed,
  type Message,
  timeOf,
  type World,
  wasSent,
  withMessage,
} from "../world.ts";
import { changesOf, recordFindings } from "./message-record.ts";
import { isWithout } from "./recipients.ts";

const find = ({ world, account, path }: Given): Message | undefined =>
  world.messages.find((message) => message.account === account && message.id === path.id);

/** Whether a message was sent too long ago to be looked up. */
const isGone = ({ acceptedAt, dueAt }: Message, { now }: Given): boolean | undefined =>
  hasPassed(limits.messageLookup * day, now - (dueAt ?? acceptedAt));

/** The error for an id that no message of the account has. */
function unknown(id: string, { world, path }: Given): Allowed {
  const isOfOther = world.messages.some((message) => message.id === path.id);
  return notFound(id, isOfOther);
}

/** The world after a request that was rejected: a change of a message must leave it as it was. */
export function afterRejection(world: World, { operation, path }: Given): World {
  const message = world.messages.find(({ id }) => id === path.id);
  if (message === undefined || (operation !== "rescheduleEmail" && operation !== "cancelEmail")) return world;
  const id = message.isCanceled ? "SCHED-14" : "SCHED-19";
  return withMessage(world, message, { since: [...message.since, id] });
}

/** A lookup of a message. */
export function getEmail(given: Given): Allowed[] {
  const message = find(given);
  if (message === undefined) return [unknown("LOOK-23", given)];
  const { kind, since, acceptedAt, dueAt, isCanceled } = message;
  const hasStarted = dueAt !== null && dueAt < given.sentAt;
  const ids = [
    "LOOK-1",
    // A shorter lookup period shows only later.
    ...(given.now - (dueAt ?? acceptedAt) > day ? ["LOOK-22"] : []),
    ...(kind === "batch" ? ["BATCH-13"] : []),
    ...(hasStarted && !isCanceled ? ["SCHED-21"] : []),
    ...changesOf(since),
  ];
  const found = success(ids, (record) => ({
    world: withMessage(given.world, message, { record, since: [] }),
    findings: recordFindings(message, record, given),
  }));
  const gone = rejected(["LOOK-22"], "404.not_found");
  // Of a message of a batch whose recipients are all suppressed, everything is unspecified.
  if (isWithout(message.suppressed, message.sent)) return [found, gone];
  if (isGone(message, given) === false) return [found];
  // How long a message that is never sent can be looked up is unspecified.
  return isGone(message, given) === true && !isCanceled ? [gone] : [found, gone];
}

/** A new time for a scheduled message. */
export const rescheduleEmail = (given: Given): Allowed[] =>
  change(given, "SCHED-12", rejected(["SCHED-11"], "409.not_reschedulable"), (message) =>
    success(["SCHED-8", "SCHED-9"], ({ scheduled_at: time }) => {
      const dueAt = timeOf(given.body.scheduled_at);
      const since = [...message.since, "SCHED-9"];
      return {
        world: withMessage(given.world, message, { dueAt, isMoved: true, since }),
        // A success may have no body.
        findings: time === undefined ? [] : [equals(["SCHED-9"], "scheduled_at", time, moment(dueAt))],
      };
    }),
  );

/** The cancellation of a scheduled message. */
export const cancelEmail = (given: Given): Allowed[] =>
  change(given, "SCHED-18", rejected(["SCHED-17"], "409.not_cancellable"), (message) =>
    success(["SCHED-13"], ({ status }) => ({
      world: withMessage(given.world, message, { isCanceled: true, since: [...message.since, "SCHED-13"] }),
      findings: [equals(["SCHED-15"], "status", status, "canceled")],
    })),
  );

/** The responses to a change of a scheduled message; `late` once it is due. */
function change(
  given: Given,
  idOfUnknown: string,
  late: Allowed,
  doneTo: (message: Message) => Allowed,
): Allowed[] {
  const message = find(given);
  const gone = unknown(idOfUnknown, given);
  if (message === undefined) return [gone];
  // The response is unspecified, but a canceled message stays canceled.
  if (message.isCanceled || isWithout(message.suppressed, message.sent))
    return (["2XX", "4XX"] as const).map((status) => ({ ids: [], status }));
  const done = doneTo(message);
  const { dueAt, kind, record } = message;
  // Whether a message can be changed after the lookup period is unspecified.
  const rejections = isGone(message, given) === false ? [late] : [late, gone];
  // A batch goes out within moments.
  if (kind === "batch" && !wasSent(record)) return [done, ...rejections];
  if (dueAt === null || given.sentAt > dueAt) return rejections;
  return given.now < dueAt ? [done] : [done, late];
}
