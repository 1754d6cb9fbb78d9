import type { components } from "../../generated/types.ts";
import { schemas } from "../../generated/validators/requests.js";
import type { OperationContext, Outcome, Services } from "../api/context.ts";
import { ErrorResponse, errorResponse, invalidField, invalidFields } from "../api/error-response.ts";
import { canBeLookedUp } from "../domain/lookup.ts";
import { nextStatus } from "../domain/message-states.ts";
import type { Message } from "../domain/records.ts";
import { readSendTime } from "../domain/scheduling.ts";
import { writeTime } from "../domain/times.ts";
import { renderMessage } from "../responses/message.ts";
import { schemaFaults } from "../validation/field-errors.ts";

type RescheduleRequest = components["schemas"]["RescheduleRequest"];

const notFound = errorResponse("404.not_found", "This account has no message with this id.");

/** GET /api/v1/emails/{id}: looks up a message. */
export async function getEmail(
  context: OperationContext<"getEmail">,
  services: Services,
): Promise<Outcome<"getEmail">> {
  const message = await findMessage(context, services);
  return message === undefined ? notFound : { status: 200, body: renderMessage(message) };
}

/** PATCH /api/v1/emails/{id}: reschedules a message. */
export async function rescheduleEmail(
  context: OperationContext<"rescheduleEmail">,
  services: Services,
): Promise<Outcome<"rescheduleEmail">> {
  const scheduledAt = newTime(context);
  if (scheduledAt instanceof ErrorResponse) return scheduledAt;
  const message = await findMessage(context, services);
  if (message === undefined) return notFound;
  const status = nextStatus(message.status, "reschedule");
  const { id, accountId } = message;
  // The store checks again: the message may be sent in between.
  if (status === undefined || !(await services.store.reschedule(accountId, id, scheduledAt))) {
    return errorResponse("409.not_reschedulable", "This message was already sent or canceled.");
  }
  return { status: 200, body: JSON.stringify({ id, status, scheduled_at: writeTime(scheduledAt) }) };
}

/** DELETE /api/v1/emails/{id}: cancels a scheduled message. */
export async function cancelEmail(
  context: OperationContext<"cancelEmail">,
  services: Services,
): Promise<Outcome<"cancelEmail">> {
  const message = await findMessage(context, services);
  if (message === undefined) return notFound;
  const status = nextStatus(message.status, "cancel");
  if (status === undefined || !(await services.store.cancel(message.accountId, message.id))) {
    return errorResponse("409.not_cancellable", "This message was already sent or canceled.");
  }
  return { status: 200, body: JSON.stringify({ id: message.id, status }) };
}

function newTime({
  body,
  now,
}: OperationContext<"rescheduleEmail">): number | ErrorResponse<"422.invalid_request"> {
  const faults = schemaFaults(schemas.RescheduleRequest, body);
  if (faults.length > 0) return invalidFields(faults);
  const time = readSendTime((body as RescheduleRequest).scheduled_at, now);
  return "at" in time ? time.at : invalidField("scheduled_at", time.fault);
}

async function findMessage(
  { account, path, now }: OperationContext<"getEmail" | "rescheduleEmail" | "cancelEmail">,
  { store }: Services,
): Promise<Message | undefined> {
  const message = await store.message(account.id, path.id);
  return message !== undefined && canBeLookedUp(message, now) ? message : undefined;
}
