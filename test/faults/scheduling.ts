import {
  from,
  idOf,
  inRecords,
  inSendAnswers,
  isLook,
  isReschedule,
  isScheduled,
  remembering,
  taken,
  takesSend,
  timeOf,
  to,
  unsent,
} from "./email.ts";
import { type Fault, inAnswers } from "./fault.ts";
import { isGood, objectOf, refusal, without } from "./newsletter.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

const ofTimes: Fault[] = [
  inRecords("SCHED-1", "a scheduled message is sent at once", (record) =>
    record.status === "scheduled" ? { ...record, sent_at: iso(timeOf(record.scheduled_at) - hour) } : record,
  ),
  remembering("SCHED-2", "a send may be further ahead than the limit", ({ now }) => (request, next) => {
    const { scheduled_at } = objectOf(request.body);
    const isFar = isScheduled(request) && timeOf(scheduled_at) - now() > 30 * day;
    return next(
      isFar
        ? { ...request, body: { ...objectOf(request.body), scheduled_at: iso(now() + 29 * day) } }
        : request,
    );
  }),
  remembering("SCHED-2", "a new time may be further ahead than the limit", ({ now }) => (request, next) => {
    const { scheduled_at } = objectOf(request.body);
    const isFar = isReschedule(request) && timeOf(scheduled_at) - now() > 30 * day;
    return next(isFar ? { ...request, body: { scheduled_at: iso(now() + 29 * day) } } : request);
  }),
  ...(
    [
      ["a send", isScheduled],
      ["a new time", isReschedule],
    ] as const
  ).map(([what, isMeant]) =>
    remembering(
      "SCHED-2",
      `${what} may be a week ahead only`,
      ({ now }) =>
        (request, next) =>
          isMeant(request) && timeOf(objectOf(request.body).scheduled_at) - now() > 7 * day
            ? refusal(422, "invalid_request", "scheduled_at")
            : next(request),
    ),
  ),
  remembering("SCHED-3", "the id of a scheduled message has no prefix", () => async (request, next) => {
    const isBare = request.path.startsWith("/api/v1/emails/late_");
    const path = isBare ? request.path.replace("/late_", "/sched_") : request.path;
    const answer = await next({ ...request, path });
    const { id } = objectOf(answer.body);
    const isMeant = isGood(answer) && (isScheduled(request) || (isBare && typeof id === "string"));
    return isMeant
      ? { ...answer, body: { ...objectOf(answer.body), id: String(id).replace("sched_", "late_") } }
      : answer;
  }),
  inSendAnswers(
    "SCHED-4",
    "the answer has no scheduled_at",
    (body) => without(body, "scheduled_at"),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-4",
    "the answer repeats the time as it was sent",
    (body, { body: sent }) => ({ ...body, scheduled_at: objectOf(sent).scheduled_at }),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-4",
    "the answer takes the time for one in UTC, whatever its offset",
    (body, { body: sent }) => ({
      ...body,
      scheduled_at: String(objectOf(sent).scheduled_at).replace(/(Z|[+-]\d\d:\d\d)$/, "Z"),
    }),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-5",
    "the answer to a scheduled send has no suppressed",
    (body) => without(body, "suppressed"),
    isScheduled,
  ),
  inSendAnswers(
    "SCHED-5",
    "suppressed in the answer to a scheduled send is always empty",
    (body) => ({ ...body, suppressed: [] }),
    isScheduled,
  ),
  inAnswers("SCHED-6", "a scheduled message is taken whatever is wrong with it", (answer, request) =>
    isScheduled(request) && (answer.status === 422 || answer.status === 403)
      ? taken(answer, 202, { id: "sched_unchecked", scheduled_at: "2030-01-01T00:00:00Z", suppressed: [] })
      : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message without a subject", (body) =>
    "scheduled_at" in body && !("subject" in body) && !("template_id" in body)
      ? { ...body, subject: "Put right" }
      : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message from a domain that the account does not have", (body) =>
    "scheduled_at" in body && String(body.from).includes("@contract-") ? { ...body, from } : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message to suppressed recipients only", (body) =>
    "scheduled_at" in body && String(body.to) === "gone@readers.example" ? { ...body, to } : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message with too long a tag", (body) =>
    "scheduled_at" in body && Object.values(objectOf(body.tags)).some((value) => String(value).length > 128)
      ? without(body, "tags")
      : undefined,
  ),
  takesSend("SCHED-6", "a scheduled message with a link into a private network", (body) =>
    "scheduled_at" in body && JSON.stringify(body).includes("https://10.")
      ? without(body, "attachments")
      : undefined,
  ),
  inRecords("SCHED-7", "a scheduled message is queued", (record) =>
    record.status === "scheduled" ? { ...record, status: "queued" } : record,
  ),
];

const ofGoingOut: Fault[] = [
  inRecords("SCHED-20", "a scheduled message never goes out", (record) =>
    record.scheduled_at === null ? record : { ...unsent(record), events: [] },
  ),
  remembering("SCHED-20", "a scheduled message goes out an hour late", ({ now }) => async (request, next) => {
    const answer = await next(request);
    const record = objectOf(answer.body);
    return isLook(request) &&
      isGood(answer) &&
      record.status !== "canceled" &&
      now() - timeOf(record.scheduled_at ?? 0) < hour
      ? { ...answer, body: unsent(record) }
      : answer;
  }),
  inRecords("SCHED-20", "a scheduled message goes out a minute early", (record) =>
    record.scheduled_at === null || record.sent_at === null
      ? record
      : { ...record, sent_at: iso(timeOf(record.scheduled_at) - 60_000) },
  ),
  remembering(
    "SCHED-20",
    "a scheduled message waits for the full hour",
    ({ now }) =>
      async (request, next) => {
        const answer = await next(request);
        const record = objectOf(answer.body);
        const isEarly =
          typeof record.scheduled_at === "string" &&
          Math.ceil(timeOf(record.scheduled_at) / hour) * hour > now();
        return isLook(request) && isGood(answer) && isEarly && record.sent_at !== null
          ? { ...answer, body: unsent(record) }
          : answer;
      },
  ),
  inAnswers("SCHED-21", "a scheduled message is found no more when it has gone out", (answer, request) =>
    isLook(request) &&
    objectOf(answer.body).sent_at !== null &&
    idOf(request).startsWith("sched_") &&
    isGood(answer)
      ? refusal(404, "not_found")
      : undefined,
  ),
];

export const schedulingFaults: Fault[] = [...ofTimes, ...ofGoingOut];
