import { isDeepStrictEqual } from "node:util";
import { lifecycles, simulator } from "../../../../generated/lifecycles.ts";
import { format } from "../../support/assertions.ts";
import { asSet, equals, expects, type Finding, moment, oneOf, within } from "../allowed.ts";
import { entriesIn, type Given, type Json, type Message } from "../world.ts";
import { recipientsOf, without } from "./recipients.ts";

/** The requirements on changes of a message, without those on its send. */
export const changesOf = (since: readonly string[]): string[] =>
  since.filter((id) => id !== "SCHED-1" && id !== "SCHED-7");

/** Compares a message record with the send, the requests since, and the record before. */
export function recordFindings(message: Message, record: Json, given: Given): Finding[] {
  const { id, sent, suppressed, siblings, isMoved, dueAt } = message;
  // The order of a batch shows in what its messages do not have in common.
  const inOrder = (name: string): string[] =>
    siblings.some((one) => !isDeepStrictEqual(one[name], sent[name])) ? ["BATCH-10"] : [];
  const wasSent = dueAt !== null && (record.sent_at ?? null) !== null;
  const ofId = ["LOOK-2", ...(isMoved ? ["SCHED-9"] : []), ...(wasSent ? ["SCHED-21"] : [])];
  // Templates have subjects of their own.
  const hasSubject = sent.subject !== undefined;
  const to = [sent.to, without(suppressed, entriesIn(sent.to))].map(asSet);
  return [
    equals(ofId, "id", record.id, id),
    equals(["LOOK-3", ...inOrder("from")], "from", record.from, sent.from),
    // Whether suppressed recipients are among them is unspecified.
    oneOf(["LOOK-4", ...inOrder("to")], "to", asSet(record.to), to),
    ...(hasSubject
      ? [equals(["LOOK-5", ...inOrder("subject")], "subject", record.subject, sent.subject)]
      : []),
    equals(["LOOK-6", ...inOrder("tags")], "tags", record.tags, sent.tags ?? {}),
    ...timeFindings(message, record, given),
    ...statusFindings(message, String(record.status), given),
    ...eventFindings(message, record),
    ...historyFindings(message.record, record),
  ];
}

function timeFindings({ kind, dueAt, acceptedAt, since }: Message, record: Json, { now }: Given): Finding[] {
  const { scheduled_at, sent_at = null, status } = record;
  // A cancellation is about the status.
  const changes = changesOf(since).filter((id) => id !== "SCHED-13");
  const ids = changes.length > 0 ? changes : ["LOOK-9"];
  const ofSent = ["LOOK-10", ...(dueAt === null ? [] : ["SCHED-20"])];
  // Once a message is due, its `scheduled_at` may be null again.
  const times = [dueAt && moment(dueAt), ...(status === "scheduled" ? [] : [null])];
  const sent = within(dueAt ?? acceptedAt, now);
  return [
    ...(kind === "scheduled" ? [oneOf(ids, "scheduled_at", scheduled_at, times)] : []),
    ...(status === "delayed" || sent_at === null ? [] : [equals(ofSent, "sent_at", sent_at, sent)]),
  ];
}

const states: readonly string[] = lifecycles.message.states;

function statusFindings(message: Message, status: string, given: Given): Finding[] {
  const { kind, dueAt, isCanceled, since } = message;
  const changes = changesOf(since);
  if (isCanceled) return [equals(changes.length > 0 ? changes : ["SCHED-14"], "status", status, "canceled")];
  if (dueAt !== null && given.now < dueAt) {
    const ofSend = since.length > 0 ? since : ["SCHED-1"];
    return [equals(changes.length > 0 ? changes : ofSend, "status", status, "scheduled")];
  }
  const isOver = isLate(message, given, "dispatch");
  const ofTime = { immediate: [], scheduled: ["SCHED-20"], batch: ["BATCH-14"] }[kind];
  const ids = ["DELIV-1", ...(isOver ? ofTime : []), ...changes];
  const impossible = isOver ? ["canceled", "scheduled"] : ["canceled"];
  const possible = states.filter((state) => !impossible.includes(state));
  return [oneOf(ids, "status", status, possible), ...fateFindings(message, status, given)];
}

/** Whether the deadline for something has passed since sending began. */
function isLate(message: Message, { sentAt, deadlines }: Given, what: "dispatch" | "delivery"): boolean {
  return sentAt > (message.dueAt ?? message.acceptedAt) + deadlines[what] * 1000;
}

const ends = ["delivered", "bounced", "complained", "rejected", "failed"];
const fateIds = { success: "SIM-1", bounce: "SIM-2", complaint: "SIM-3", suppressionlist: "SIM-4" };

/** What becomes of a message to one simulated recipient (`states` is empty for one whose status is unspecified). */
function fateFindings(message: Message, status: string, given: Given): Finding[] {
  const recipients = recipientsOf(message.sent).join();
  const simulated = simulator.recipients.find(
    ({ localPart }) => recipients === `${localPart}@${given.fixtures.simulatorDomain}`,
  );
  if (simulated === undefined) return [];
  const id = fateIds[simulated.localPart];
  const fate: readonly string[] = simulated.states;
  const ofSend = { immediate: [], scheduled: ["SCHED-20"], batch: ["BATCH-14"] }[message.kind];
  if (fate.length > 0 && isLate(message, given, "delivery"))
    return [equals([id, ...ofSend], "the final status", status, fate.at(-1))];
  // Until then, nothing shows it.
  if (!ends.includes(status)) return [];
  const never = ["delivered", "bounced", "complained"].filter((one) => !fate.includes(one));
  // A rejection by a block list may be shown as a bounce.
  const isRight = !never.includes(status) || (fate.length === 0 && status === "bounced");
  return [expects([id], isRight, `not ${never.join(" or ")}`, status)];
}

/** What the history and the bounce of a message say. */
function eventFindings({ sent, isMoved }: Message, record: Json): Finding[] {
  const { status, events } = record;
  const bounce = (record.bounce ?? {}) as Json;
  const [recipient = "", ...others] = recipientsOf(sent);
  const isLone = others.length === 0;
  const wasSent = ["sent", "delivered", "bounced", "complained"].includes(String(status));
  const sends = entriesIn(events).filter(({ type }) => !isLone || type === "sent").length;
  const bounced = entriesIn(events).find(({ type }) => type === "bounced");
  const hasText = !bounced || String(bounced.detail).includes(String(bounce.diagnostic ?? ""));
  const isSimulated = isLone && recipient.startsWith("bounce@") && bounce.permanent !== undefined;
  const rows: [isTested: boolean, id: string, title: string, passes: boolean][] = [
    [wasSent, "LOOK-15", "a message that was sent has an event of it", sends > 0],
    [isLone && sends > 0, isMoved ? "SCHED-10" : "LOOK-15", "a message is sent once", sends === 1],
    [status === "bounced", "DELIV-6", "a bounce is an event", bounced !== undefined],
    [bounced !== undefined, "EVENT-3", "the event of a bounce has its diagnostic text", hasText],
    [isSimulated, "SIM-2", "a simulated bounce is permanent", bounce.permanent !== false],
  ];
  return rows.flatMap(([isTested, id, title, passes]) =>
    isTested ? [expects([id], passes, title, format({ events, bounce }))] : [],
  );
}

const times = {
  sent_at: "LOOK-10",
  delivered_at: "LOOK-11",
  bounced_at: "LOOK-12",
  complained_at: "LOOK-13",
};

/** Times that are set, and events, stay. */
function historyFindings(before: Json = {}, record: Json): Finding[] {
  const texts = ({ events }: Json): string[] => entriesIn(events).map((event) => JSON.stringify(event));
  const lost = texts(before).filter((event) => !texts(record).includes(event));
  const wereSet = Object.entries(times).filter(([name]) => (before[name] ?? null) !== null);
  return [
    ...wereSet.map(([name, id]) => equals([id], name, record[name], before[name])),
    ...(texts(before).length > 0 ? [equals(["LOOK-15"], "lost events", lost, [])] : []),
  ];
}
