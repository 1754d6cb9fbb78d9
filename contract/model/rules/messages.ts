import { isDeepStrictEqual } from "node:util";
import { lifecycles, simulator } from "../../../generated/lifecycles.ts";
import { limits } from "../../../generated/limits.ts";
import { isSame } from "../../difference.ts";
import { format } from "../../support/assertions.ts";
import {
  type Allowed,
  asSet,
  type Comparison,
  equals,
  expects,
  notFound,
  oneOf,
  recordedTime,
  rejected,
  success,
  within,
} from "../judge.ts";
import {
  day,
  entriesIn,
  type Given,
  hasPassed,
  type Json,
  type Message,
  type ModelState,
  timeOf,
  wasSent,
  withMessage,
} from "../state.ts";
import { isWithout, recipientsOf, without } from "./allowance.ts";

const find = ({ state, account, path }: Given): Message | undefined =>
  state.messages.find((message) => message.account === account && message.id === path.id);

/** When sending begins: a message for a time in the past is sent once it is accepted. */
const startOf = ({ dueAt, acceptedAt }: Message): number => Math.max(dueAt ?? acceptedAt, acceptedAt);

/** Whether a message was sent too long ago to be looked up. */
function isGone(message: Message, { now }: Given): boolean | undefined {
  const start = startOf(message);
  const isOver = (from: number) => hasPassed(limits.messageLookup * day, now - from);
  // One for a time in the past may have been sent before the request that showed it first.
  return isOver(start) === isOver(message.dueAt ?? start) ? isOver(start) : undefined;
}

/** The error for an id that no message of the account has. */
function unknown(id: string, { state, path }: Given): Allowed {
  const isOfOther = state.messages.some((message) => message.id === path.id);
  return notFound(id, isOfOther);
}

/** The state after a request that was rejected: a change of a message must leave it as it was. */
export function afterRejection(state: ModelState, { operation, path }: Given): ModelState {
  const message = state.messages.find(({ id }) => id === path.id);
  if (message === undefined || (operation !== "rescheduleEmail" && operation !== "cancelEmail")) return state;
  const id = message.isCanceled ? "SCHED-14" : "SCHED-19";
  return withMessage(state, message, { since: [...message.since, id] });
}

export function getEmail(given: Given): Allowed[] {
  const message = find(given);
  if (message === undefined) return [unknown("LOOK-23", given)];
  const { kind, since, dueAt, isCanceled } = message;
  const hasStarted = dueAt !== null && dueAt < given.sentAt;
  const ids = [
    "LOOK-1",
    // A shorter lookup period shows only later.
    ...(given.now - startOf(message) > day ? ["LOOK-22"] : []),
    ...(kind === "batch" ? ["BATCH-13"] : []),
    ...(hasStarted && !isCanceled ? ["SCHED-21"] : []),
    ...changesOf(since),
  ];
  const found = success(ids, (record) => ({
    state: withMessage(given.state, message, { record, since: [] }),
    findings: recordFindings(message, record, given),
  }));
  const gone = rejected(["LOOK-22"], "404.not_found");
  // Of a message of a batch whose recipients are all suppressed, everything is unspecified.
  if (isWithout(message.suppressed, message.sent)) return [found, gone];
  if (isGone(message, given) === false) return [found];
  // How long a message that is never sent can be looked up is unspecified.
  return isGone(message, given) === true && !isCanceled ? [gone] : [found, gone];
}

export const rescheduleEmail = (given: Given): Allowed[] =>
  change(given, "SCHED-12", rejected(["SCHED-11"], "409.not_reschedulable"), (message) =>
    success(["SCHED-8", "SCHED-9"], ({ scheduled_at: time }) => {
      const dueAt = timeOf(given.body.scheduled_at);
      const moved = { acceptedAt: given.sentAt, dueAt, isMoved: true, since: [...message.since, "SCHED-9"] };
      return {
        state: withMessage(given.state, message, moved),
        // A success may have no body.
        findings: time === undefined ? [] : [equals(["SCHED-9"], "scheduled_at", time, recordedTime(moved))],
      };
    }),
  );

export const cancelEmail = (given: Given): Allowed[] =>
  change(given, "SCHED-18", rejected(["SCHED-17"], "409.not_cancellable"), (message) =>
    success(["SCHED-13"], ({ status }) => ({
      state: withMessage(given.state, message, { isCanceled: true, since: [...message.since, "SCHED-13"] }),
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
  // The response is unspecified, but a canceled message stays canceled. An accepted time may be recorded.
  if (message.isCanceled || isWithout(message.suppressed, message.sent)) {
    const state = withMessage(given.state, message, { hasUnknownTime: true });
    return [success([], () => ({ state, findings: [] })), { ids: [], status: "4XX" }];
  }
  const done = doneTo(message);
  const { dueAt, kind, record } = message;
  // Whether a message can be changed after the lookup period is unspecified.
  const rejections = isGone(message, given) === false ? [late] : [late, gone];
  const isForPast = dueAt !== null && dueAt < message.acceptedAt;
  // A batch goes out within moments, like a message for a time in the past.
  if ((kind === "batch" || isForPast) && !wasSent(record)) return [done, ...rejections];
  if (dueAt === null || given.sentAt > dueAt) return rejections;
  return given.now < dueAt ? [done] : [done, late];
}

/** The requirements on changes of a message, without those on its send. */
const changesOf = (since: readonly string[]) => since.filter((id) => id !== "SCHED-1" && id !== "SCHED-7");

/** Compares a message record with the send, the requests since, and the record before. */
function recordFindings(message: Message, record: Json, given: Given): Comparison[] {
  const { id, sent, suppressed, siblings, isMoved, dueAt } = message;
  const ofSent = dueAt !== null && wasSent(record) ? ["SCHED-21"] : [];
  const determined = (name: string, own: string, ...possible: unknown[]): Comparison => {
    const [found, ...values] = [record[name], ...possible].map(asSet);
    const isOwn = values.some((one) => isDeepStrictEqual(one, found));
    // The order of a batch shows in what its messages do not have in common: in another one, a message has what a sibling was sent with.
    const isOrdered = siblings.some((one) =>
      isOwn ? !isDeepStrictEqual(one[name], sent[name]) : isDeepStrictEqual(asSet(one[name]), found),
    );
    return oneOf([own, ...(isOrdered ? ["BATCH-10"] : [])], name, found, values);
  };
  const to = entriesIn<string>(sent.to);
  const lists = [to, [...to, ...entriesIn<string>(sent.cc)], recipientsOf(sent)];
  return [
    equals(["LOOK-2", ...(isMoved ? ["SCHED-9"] : []), ...ofSent], "id", record.id, id),
    determined("from", "LOOK-3", sent.from),
    // Whether suppressed recipients, and those in cc and bcc, are among them is unspecified.
    determined("to", "LOOK-4", ...lists.flatMap((all) => [all, without(suppressed, all)])),
    // A template has a subject of its own.
    ...(sent.subject === undefined ? [] : [determined("subject", "LOOK-5", sent.subject)]),
    determined("tags", "LOOK-6", sent.tags ?? {}),
    ...timeFindings(message, record, given),
    ...statusFindings(message, String(record.status), given),
    ...eventFindings(message, record),
    ...historyFindings(message.record, record),
  ];
}

function timeFindings(message: Message, record: Json, { now }: Given) {
  const { kind, dueAt, acceptedAt, since, hasUnknownTime } = message;
  const { scheduled_at, sent_at, status } = record;
  // A cancellation is about the status.
  const changes = changesOf(since).filter((id) => id !== "SCHED-13");
  const ids = changes.length > 0 ? changes : ["LOOK-9"];
  const ofSent = ["LOOK-10", ...(dueAt === null ? [] : ["SCHED-20"])];
  // Once a message is due, its `scheduled_at` may be null again.
  const times = [recordedTime(message), ...(status === "scheduled" ? [] : [null])];
  const sent = within(dueAt ?? acceptedAt, now);
  return [
    ...(kind === "scheduled" && !hasUnknownTime ? [oneOf(ids, "scheduled_at", scheduled_at, times)] : []),
    ...(status !== "delayed" && wasSent(record) ? [equals(ofSent, "sent_at", sent_at, sent)] : []),
    ...(wasSent(record) ? laterFindings(record, now) : []),
  ];
}

/** What happens to a message happens after it was sent; one of the two times may be in whole seconds. */
const laterFindings = (record: Json, now: number): Comparison[] =>
  Object.entries(times)
    .filter(([name]) => name !== "sent_at" && (record[name] ?? null) !== null)
    .map(([name, id]) => equals([id], name, record[name], within(timeOf(record.sent_at), now, 60_000, 1000)));

/** The requirements on messages that are sent later than accepted. */
const idsOfSending = { immediate: [], scheduled: ["SCHED-20"], batch: ["BATCH-14"] };

function statusFindings(message: Message, status: string, given: Given): Comparison[] {
  const { kind, dueAt, isCanceled, since } = message;
  const changes = changesOf(since);
  if (isCanceled || (dueAt !== null && given.now < dueAt)) {
    const ofSend = since.length > 0 ? since : ["SCHED-1"];
    const ofState = isCanceled ? ["SCHED-14"] : ofSend;
    const ids = changes.length > 0 ? changes : ofState;
    return [equals(ids, "status", status, isCanceled ? "canceled" : "scheduled")];
  }
  const isOver = isLate(message, given, "dispatch");
  const ids = ["DELIV-1", ...(isOver ? idsOfSending[kind] : []), ...changes];
  const possible = lifecycles.message.states.filter(
    (state) => state !== "canceled" && !(isOver && state === "scheduled"),
  );
  return [
    oneOf(ids, isOver ? "status after deadlines.dispatch" : "status", status, possible),
    ...fateFindings(message, status, given),
  ];
}

/** Whether the deadline for something has passed since sending began. */
const isLate = (message: Message, { sentAt, deadlines }: Given, what: "dispatch" | "delivery") =>
  sentAt > startOf(message) + deadlines[what] * 1000;

const ends = ["delivered", "bounced", "complained", "rejected", "failed"];
const fateIds = { success: "SIM-1", bounce: "SIM-2", complaint: "SIM-3", suppressionlist: "SIM-4" };

/** What becomes of a message to one simulated recipient (`states` is empty for one whose status is unspecified). */
function fateFindings(message: Message, status: string, given: Given): Comparison[] {
  const recipients = recipientsOf(message.sent).join();
  const simulated = simulator.recipients.find(
    ({ localPart }) => recipients === `${localPart}@${given.fixtures.simulatorDomain}`,
  );
  if (simulated === undefined) return [];
  const id = fateIds[simulated.localPart];
  const fate: readonly string[] = simulated.states;
  const ids = [id, ...idsOfSending[message.kind]];
  if (fate.length > 0 && isLate(message, given, "delivery"))
    return [equals(ids, "the status after deadlines.delivery", status, fate.at(-1))];
  // Until then, nothing shows it.
  if (!ends.includes(status)) return [];
  const never = ["delivered", "bounced", "complained"].filter((one) => !fate.includes(one));
  // A rejection by a block list may be shown as a bounce.
  const isRight = !never.includes(status) || (fate.length === 0 && status === "bounced");
  return [expects([id], isRight, `not ${never.join(" or ")}`, status)];
}

/** What the history and the bounce of a message say. */
function eventFindings({ sent, isMoved }: Message, record: Json): Comparison[] {
  const { status, events } = record;
  const bounce = (record.bounce ?? {}) as Json;
  const [recipient = "", ...others] = recipientsOf(sent);
  const isLone = others.length === 0;
  const isUnderWay = ["sent", "delivered", "bounced", "complained"].includes(String(status));
  const sends = entriesIn(events).filter(({ type }) => !isLone || type === "sent").length;
  const bounced = entriesIn(events).find(({ type }) => type === "bounced");
  const hasText =
    !bounced || String(bounced.detail).includes(String(bounce.diagnostic ?? bounced.detail).trim());
  const isSimulated = isLone && recipient.startsWith("bounce@") && bounce.permanent !== undefined;
  const rows: [isTested: boolean, id: string, title: string, passes: boolean][] = [
    [isUnderWay, "LOOK-15", "an event of type sent in a message that was sent", sends > 0],
    [isLone && sends > 0, isMoved ? "SCHED-10" : "LOOK-15", "a message is sent once", sends === 1],
    [status === "bounced", "DELIV-6", "an event of type bounced in a bounced message", bounced !== undefined],
    [bounced !== undefined, "EVENT-3", "the event of a bounce has its diagnostic text", hasText],
    [isSimulated, "SIM-2", "a simulated bounce is permanent", bounce.permanent !== false],
  ];
  return rows.flatMap(([isTested, id, title, passes]) =>
    isTested ? [expects([id], passes, title, passes ? "" : format({ events, bounce: record.bounce }))] : [],
  );
}

const times = {
  sent_at: "LOOK-10",
  delivered_at: "LOOK-11",
  bounced_at: "LOOK-12",
  complained_at: "LOOK-13",
};

/** Times that are set, and events, stay. */
function historyFindings(before: Json | undefined, record: Json): Comparison[] {
  if (before === undefined) return [];
  const [known, found] = [before, record].map(({ events }) => entriesIn(events));
  const lost = known?.filter((event) => !found?.some((one) => isSame(one, event)));
  const wereSet = Object.entries(times).filter(([name]) => (before[name] ?? null) !== null);
  return [
    ...wereSet.map(([name, id]) => equals([id], name, record[name], before[name])),
    ...(known?.length ? [equals(["LOOK-15"], "lost events", lost, [])] : []),
  ];
}
