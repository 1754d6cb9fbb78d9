import { asAnother, idOf, isCancel, isLook, isReschedule, remembering, taken, timeOf } from "./email.ts";
import { type Fault, inAnswers, instead } from "./fault.ts";
import { isGood, type Json, objectOf, refusal } from "./newsletter.ts";
import { pretending } from "./pretending.ts";

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number): string => new Date(time).toISOString();

const ofCanceling: Fault[] = [
  pretending("SCHED-13", "a cancellation is answered and not made", {
    isMeant: isCancel,
    answers: () => ({ status: "canceled" }),
  }),
  pretending("SCHED-13", "a canceled message is found no more", {
    isMeant: isCancel,
    shows: (record) => ({ ...record, status: "failed" }),
  }),
  instead("SCHED-13", "refuses to cancel a scheduled message", (request) =>
    isCancel(request) ? refusal(409, "not_cancellable") : undefined,
  ),
  pretending("SCHED-14", "a canceled message goes out when its time comes", {
    isMeant: isCancel,
    shows: (record, _, now) =>
      record.status === "canceled" && timeOf(record.scheduled_at) < now
        ? { ...record, status: "sent", sent_at: record.scheduled_at }
        : record,
  }),
  pretending("SCHED-14", "a canceled message says that it was sent", {
    isMeant: isCancel,
    shows: (record, _, now) =>
      record.status === "canceled" && timeOf(record.scheduled_at) < now
        ? { ...record, sent_at: record.scheduled_at }
        : record,
  }),
  remembering("SCHED-14", "a new time puts a canceled message back", () => {
    const back = new Set<string>();
    return async (request, next) => {
      if (isReschedule(request)) back.add(idOf(request));
      const answer = await next(request);
      const record = objectOf(answer.body);
      return isLook(request) && record.status === "canceled" && back.has(idOf(request))
        ? { ...answer, body: { ...record, status: "scheduled" } }
        : answer;
    };
  }),
  ...(
    [
      ["is called cancelled", { status: "cancelled" }],
      ["is missing", {}],
      ["is true", { status: true }],
    ] as const
  ).map(([title, body]) =>
    inAnswers("SCHED-15", `the status in the answer to a cancellation ${title}`, (answer, request) =>
      isCancel(request) && isGood(answer) ? { ...answer, body } : undefined,
    ),
  ),
  instead("SCHED-16", "refuses a cancellation without a body", (request) =>
    isCancel(request) && request.body === undefined ? refusal(422, "invalid_request", "body") : undefined,
  ),
  ...(
    [
      ["answers 200 to a cancellation that comes too late", 200],
      ["answers 409 not_reschedulable to a cancellation that comes too late", 409],
      ["answers 404 to a cancellation that comes too late", 404],
    ] as const
  ).map(([title, status]) =>
    inAnswers("SCHED-17", title, (answer, request) => {
      if (!isCancel(request) || answer.status !== 409) return undefined;
      if (status === 200) return taken(answer, 200, { status: "canceled" });
      return refusal(status, status === 409 ? "not_reschedulable" : "not_found");
    }),
  ),
  inAnswers("SCHED-18", "answers success to a cancellation of an id that nobody has", (answer, request) =>
    isCancel(request) && answer.status === 404 ? taken(answer, 200, { status: "canceled" }) : undefined,
  ),
  remembering("SCHED-18", "another account may cancel a message", ({ bearer }) => async (request, next) => {
    const answer = await next(request);
    return isCancel(request) && answer.status === 404 ? asAnother(request, next, bearer("full")) : answer;
  }),
];

/** A fault in which a refused call changes what is shown of its message afterwards. */
const changing = (
  title: string,
  isMeant: typeof isLook,
  change: (record: Json, asked: Json) => Json,
): Fault =>
  remembering("SCHED-19", title, ({ bearer }) => {
    const refusedFor = new Map<string, Json>();
    return async (request, next) => {
      const answer = await next(request);
      if (isMeant(request) && answer.status >= 400) refusedFor.set(idOf(request), objectOf(request.body));
      const asked = refusedFor.get(idOf(request));
      const isOwn = request.headers.authorization === bearer("full");
      return isLook(request) && isGood(answer) && asked !== undefined && isOwn
        ? { ...answer, body: change(objectOf(answer.body), asked) }
        : answer;
    };
  });

const isSent = ({ status }: Json): boolean => status === "delivered";

const isTooFar: typeof isLook = (request) =>
  isReschedule(request) && timeOf(objectOf(request.body).scheduled_at) - Date.now() > 30 * day;

const ofLeaving: Fault[] = [
  changing("a refused cancellation cancels", isCancel, (record) =>
    isSent(record) ? { ...record, status: "canceled" } : record,
  ),
  changing("a refused change of time notes the new time", isReschedule, (record, { scheduled_at }) =>
    isSent(record) ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("a time that is refused is noted", isTooFar, (record, { scheduled_at }) =>
    record.status === "scheduled" ? { ...record, scheduled_at: iso(timeOf(scheduled_at)) } : record,
  ),
  changing("another account cancels, although it is told that there is nothing", isCancel, (record) =>
    record.status === "scheduled" ? { ...record, status: "canceled" } : record,
  ),
];

export const cancelingFaults: Fault[] = [...ofCanceling, ...ofLeaving];
