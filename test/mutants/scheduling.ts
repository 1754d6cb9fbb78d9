import {
  acceptsSend,
  changeRecords,
  from,
  idOf,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSuppressed,
  stateful,
  timeOf,
  to,
  unsent,
} from "./email.ts";
import { changeResponses, type Mutant } from "./mutant.ts";
import { errorResponse, isSuccess, listOf, objectOf, without } from "./newsletter.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

const ofTimes: Mutant[] = [
  changeRecords("SCHED-1", "a scheduled message is sent immediately", (record) =>
    record.status === "scheduled" ? { ...record, sent_at: iso(timeOf(record.scheduled_at) - hour) } : record,
  ),
  stateful("SCHED-2", "a message can be rescheduled beyond the limit", ({ now }) => (request, next) => {
    const { scheduled_at } = objectOf(request.body);
    const isFar = isReschedule(request) && timeOf(scheduled_at) - now() > 30 * day;
    return next(isFar ? { ...request, body: { scheduled_at: iso(now() + 29 * day) } } : request);
  }),
  stateful("SCHED-3", "the id of a scheduled message has no prefix", () => async (request, next) => {
    const isBare = request.path.startsWith("/api/v1/emails/late_");
    const path = isBare ? request.path.replace("/late_", "/sched_") : request.path;
    const response = await next({ ...request, path });
    const { id } = objectOf(response.body);
    const applies = isSuccess(response) && (isScheduled(request) || (isBare && typeof id === "string"));
    return applies
      ? { ...response, body: { ...objectOf(response.body), id: String(id).replace("sched_", "late_") } }
      : response;
  }),
  acceptsSend("SCHED-6", "a scheduled message without a subject", (body) =>
    "scheduled_at" in body && !("subject" in body) && !("template_id" in body)
      ? { ...body, subject: "Corrected" }
      : undefined,
  ),
  acceptsSend("SCHED-6", "a scheduled message from a domain of no or another account", (body) =>
    "scheduled_at" in body && String(body.from).includes("@contract-") ? { ...body, from } : undefined,
  ),
  acceptsSend("SCHED-6", "a scheduled message to only suppressed recipients", (body) =>
    "scheduled_at" in body && listOf(body.to).every(isSuppressed) ? { ...body, to } : undefined,
  ),
  acceptsSend("SCHED-6", "a scheduled message with a tag value that is too long", (body) =>
    "scheduled_at" in body && Object.values(objectOf(body.tags)).some((value) => String(value).length > 128)
      ? without(body, "tags")
      : undefined,
  ),
  acceptsSend("SCHED-6", "a scheduled message with a link to a private network", (body) =>
    "scheduled_at" in body && JSON.stringify(body).includes("https://10.")
      ? without(body, "attachments")
      : undefined,
  ),
  changeRecords("SCHED-7", "a scheduled message has the status queued", (record) =>
    record.status === "scheduled" ? { ...record, status: "queued" } : record,
  ),
];

const ofGoingOut: Mutant[] = [
  changeRecords("SCHED-20", "a scheduled message is never sent", (record) =>
    record.scheduled_at === null ? record : { ...unsent(record), events: [] },
  ),
  changeResponses("SCHED-21", "a scheduled message is not found after it is sent", (response, request) =>
    isMessageLookup(request) &&
    objectOf(response.body).sent_at !== null &&
    idOf(request).startsWith("sched_") &&
    isSuccess(response)
      ? errorResponse(404, "not_found")
      : undefined,
  ),
];

export const schedulingMutants: Mutant[] = [...ofTimes, ...ofGoingOut];
