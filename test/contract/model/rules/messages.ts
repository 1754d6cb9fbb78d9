import { limits } from "../../../../generated/limits.ts";
import { accountOf } from "../../engine/settings.ts";
import { type Allowed, equals, type Finding, rejected } from "../allowed.ts";
import {
  type Context,
  type Json,
  type Message,
  type ModelRequest,
  messageOf,
  type World,
  withMessage,
} from "../world.ts";
import { recordFindings } from "./message-record.ts";
import { recipientsOf } from "./recipients.ts";
import { timeFinding } from "./sending.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** A lookup of a message. */
export function getEmail(world: World, request: ModelRequest, context: Context): Allowed[] {
  const message = messageOf(world, accountOf(request.key), request.path?.id);
  if (message === undefined) return [rejected(["LOOK-23", "AUTH-2"], "404.not_found")];
  const found: Allowed = {
    ids: ["LOOK-1", "LOOK-22", "BATCH-13", "SCHED-21"],
    status: "2XX",
    effect: (record) => ({
      world: withMessage(world, { ...message, record }),
      findings: recordFindings(message, record, context),
    }),
  };
  const gone = rejected(["LOOK-22"], "404.not_found");
  // Of a message of a batch whose recipients are all suppressed, everything is unspecified.
  if (hasNoRecipient(message)) return [found, gone];
  const age = ageOf(message, context);
  if (age < limits.messageLookup * day - hour) return [found];
  // How long a message that is never sent can be looked up is unspecified.
  return age > limits.messageLookup * day + hour && !message.isCanceled ? [gone] : [found, gone];
}

const hasNoRecipient = ({ sent, suppressed }: Message): boolean =>
  recipientsOf(sent).every((email) => suppressed.includes(email));

/** Milliseconds since the message was sent; negative if it is not due yet. */
const ageOf = ({ acceptedAt, dueAt }: Message, { now }: Context): number => now - (dueAt ?? acceptedAt);

/** A new time for a scheduled message. */
export const rescheduleEmail = (world: World, request: ModelRequest, context: Context): Allowed[] =>
  change(world, request, context, {
    unknown: rejected(["SCHED-12", "AUTH-2"], "404.not_found"),
    late: rejected(["SCHED-11"], "409.not_reschedulable"),
    ids: ["SCHED-8", "SCHED-9"],
    changed: (message) => ({ ...message, dueAt: Date.parse(String(request.body?.scheduled_at)) }),
    shows: ({ scheduled_at = request.body?.scheduled_at }) => [
      timeFinding("SCHED-9", scheduled_at, request.body?.scheduled_at),
    ],
  });

/** The cancellation of a scheduled message. */
export const cancelEmail = (world: World, request: ModelRequest, context: Context): Allowed[] =>
  change(world, request, context, {
    unknown: rejected(["SCHED-18", "AUTH-2"], "404.not_found"),
    late: rejected(["SCHED-17"], "409.not_cancellable"),
    ids: ["SCHED-13"],
    changed: (message) => ({ ...message, isCanceled: true }),
    shows: ({ status }) => [equals(["SCHED-15"], "status", status, "canceled")],
  });

interface Change {
  unknown: Allowed;
  late: Allowed;
  ids: readonly string[];
  changed(message: Message): Message;
  shows(json: Json): Finding[];
}

function change(
  world: World,
  request: ModelRequest,
  context: Context,
  { unknown, late, ids, changed, shows }: Change,
): Allowed[] {
  const message = messageOf(world, accountOf(request.key), request.path?.id);
  if (message === undefined) return [unknown];
  const { sentAt, now } = context;
  // Whether a message can be changed after the lookup period is unspecified.
  const gone = ageOf(message, context) > limits.messageLookup * day - hour ? [unknown] : [];
  // The response is unspecified, but a canceled message stays canceled.
  if (message.isCanceled || hasNoRecipient(message))
    return [
      { ids: [], status: "2XX" },
      { ids: [], status: "4XX" },
    ];
  const done: Allowed = {
    ids,
    status: "2XX",
    // A success may have no body.
    effect: (json) => ({ world: withMessage(world, changed(message)), findings: shows(json ?? {}) }),
  };
  const { dueAt } = message;
  // A batch goes out within moments.
  if (message.kind === "batch" && (message.record?.sent_at ?? null) === null) return [done, late, ...gone];
  if (dueAt === null || sentAt > dueAt) return [late, ...gone];
  return now < dueAt ? [done] : [done, late];
}
