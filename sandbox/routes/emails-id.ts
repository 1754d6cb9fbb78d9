import type { components } from "../../generated/types.ts";
import { schemas } from "../../generated/validators/requests.js";
import type { Handler, OperationContext, Services } from "../api/context.ts";
import { ErrorResponse, errorResponse, invalidField, invalidFields } from "../api/error-response.ts";
import { schemaErrors } from "../api/field-errors.ts";
import { nextStatus } from "../domain/due.ts";
import type { Message, MessageStatus } from "../domain/records.ts";
import { canBeLookedUp } from "../domain/retention.ts";
import { readSendTime } from "../domain/sending.ts";
import { writeTime, writeTimeOrNull } from "../domain/times.ts";

const notFound = errorResponse("404.not_found", "This account has no message with this id.");

/** GET /api/v1/emails/{id}: looks up a message. */
export const getEmail: Handler<"getEmail"> = async (context, services) => {
  const message = await findMessage(context, services);
  return message === undefined ? notFound : { status: 200, body: renderMessage(message) };
};

/** PATCH /api/v1/emails/{id}: reschedules a message. */
export const rescheduleEmail: Handler<"rescheduleEmail"> = async (context, services) => {
  const scheduledAt = newTime(context);
  if (scheduledAt instanceof ErrorResponse) return scheduledAt;
  const message = await findMessage(context, services);
  if (message === undefined) return notFound;
  const isChanged = await change(message, "reschedule", { scheduledAt, dueAt: scheduledAt }, services);
  if (!isChanged) return errorResponse("409.not_reschedulable", sentOrCanceled);
  const body = { id: message.id, status: "scheduled", scheduled_at: writeTime(scheduledAt) };
  return { status: 200, body: JSON.stringify(body) };
};

/** DELETE /api/v1/emails/{id}: cancels a scheduled message. */
export const cancelEmail: Handler<"cancelEmail"> = async (context, services) => {
  const message = await findMessage(context, services);
  if (message === undefined) return notFound;
  const isChanged = await change(message, "cancel", { dueAt: null }, services);
  if (!isChanged) return errorResponse("409.not_cancellable", sentOrCanceled);
  return { status: 200, body: JSON.stringify({ id: message.id, status: "canceled" }) };
};

const sentOrCanceled = "This message was already sent or canceled.";

/** Changes a message, if its status allows it. @returns whether it does */
const change = (
  { id, accountId }: Message,
  on: "reschedule" | "cancel",
  changes: Partial<Message>,
  { store }: Services,
): Promise<boolean> =>
  store.changeMessage(accountId, id, (current) => {
    const status = nextStatus(current.status, on);
    return status && { ...current, ...changes, status };
  });

function newTime({ body, now }: OperationContext<"rescheduleEmail">) {
  const fieldErrors = schemaErrors(schemas.RescheduleRequest, body);
  if (fieldErrors.length > 0) return invalidFields(fieldErrors);
  const time = readSendTime((body as components["schemas"]["RescheduleRequest"]).scheduled_at, now);
  return "at" in time ? time.at : invalidField("scheduled_at", time.error);
}

async function findMessage(
  { account, path, now }: OperationContext<"getEmail" | "rescheduleEmail" | "cancelEmail">,
  { store }: Services,
): Promise<Message | undefined> {
  const message = await store.message(account.id, path.id);
  return message !== undefined && canBeLookedUp(message, now) ? message : undefined;
}

/** `status_description` by status. */
const descriptions: Readonly<Record<MessageStatus, string>> = {
  scheduled: "The message is waiting for its time.",
  queued: "The message is queued.",
  sent: "The message is on its way to the receiving server.",
  delivered: "The receiving server accepted the message.",
  delayed: "The message is delayed.",
  bounced: "The receiving server rejected the message.",
  complained: "The recipient marked the message as spam.",
  rejected: "The message was rejected.",
  failed: "The message failed.",
  canceled: "The message was canceled before it was sent.",
};

const renderMessage = (message: Message): string =>
  JSON.stringify({
    id: message.id,
    from: message.from,
    to: message.to,
    subject: message.content.subject,
    tags: message.tags,
    status: message.status,
    status_description: descriptions[message.status],
    scheduled_at: writeTimeOrNull(message.scheduledAt),
    sent_at: writeTimeOrNull(message.sentAt),
    delivered_at: writeTimeOrNull(message.deliveredAt),
    bounced_at: writeTimeOrNull(message.bouncedAt),
    complained_at: writeTimeOrNull(message.complainedAt),
    bounce: message.bounce,
    events: message.events.map(({ type, at, detail }) => ({ type, at: writeTime(at), detail })),
  });
