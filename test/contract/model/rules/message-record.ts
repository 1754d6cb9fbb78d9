import { lifecycles, simulator } from "../../../../generated/lifecycles.ts";
import { format } from "../../support/assertions.ts";
import { asSet, equals, expects, type Finding, moment, oneOf, within } from "../allowed.ts";
import { entriesIn, type Given, type Json, type Message } from "../world.ts";
import { recipientsOf, without } from "./recipients.ts";

/** Compares a message record with the send, the requests since, and the record before. */
export function recordFindings(message: Message, record: Json, given: Given): Finding[] {
  const { id, kind, sent, suppressed } = message;
  const ofBatch = kind === "batch" ? ["BATCH-10"] : [];
  const to = [sent.to, without(suppressed, entriesIn(sent.to))].map(asSet);
  return [
    equals(["LOOK-2", "SCHED-9", "SCHED-21"], "id", record.id, id),
    equals(["LOOK-3", ...ofBatch], "from", record.from, sent.from),
    // Whether suppressed recipients are among them is unspecified.
    oneOf(["LOOK-4", ...ofBatch], "to", asSet(record.to), to),
    // Templates have subjects of their own.
    equals(["LOOK-5", ...ofBatch], "subject", record.subject, sent.subject ?? record.subject),
    equals(["LOOK-6", ...ofBatch], "tags", record.tags, sent.tags ?? {}),
    ...timeFindings(message, record, given),
    ...statusFindings(message, String(record.status), given),
    ...eventFindings(message, record),
    ...historyFindings(message.record, record),
  ];
}

function timeFindings({ kind, dueAt, acceptedAt }: Message, record: Json, { now }: Given): Finding[] {
  const { scheduled_at, sent_at, status } = record;
  const ids = ["LOOK-9", "SCHED-4", "SCHED-9", "SCHED-19"];
  // Once a message is due, its `scheduled_at` may be null again.
  const times = [dueAt && moment(dueAt), ...(status === "scheduled" ? [] : [null])];
  const sent = within(dueAt ?? acceptedAt, now);
  return [
    ...(kind === "scheduled" ? [oneOf(ids, "scheduled_at", scheduled_at, times)] : []),
    ...(status === "delayed" ? [] : [oneOf(["LOOK-10", "SCHED-20"], "sent_at", sent_at, [sent, null])]),
  ];
}

const states: readonly string[] = lifecycles.message.states;

function statusFindings(message: Message, status: string, given: Given): Finding[] {
  const { kind, dueAt, isCanceled } = message;
  if (isCanceled) return [equals(["SCHED-13", "SCHED-14"], "status", status, "canceled")];
  if (dueAt !== null && given.now < dueAt)
    return [equals(["SCHED-1", "SCHED-7", "SCHED-9", "SCHED-19"], "status", status, "scheduled")];
  const ids = kind === "immediate" ? ["DELIV-1"] : ["SCHED-19", "SCHED-20"];
  const impossible = isLate(message, given, "dispatch") ? ["canceled", "scheduled"] : ["canceled"];
  const possible = states.filter((state) => !impossible.includes(state));
  return [oneOf(ids, "status", status, possible), ...fateFindings(message, status, given)];
}

/** Whether the deadline for something has passed since sending began. */
function isLate(message: Message, { sentAt, deadlines }: Given, what: "dispatch" | "delivery"): boolean {
  return sentAt > (message.dueAt ?? message.acceptedAt) + deadlines[what] * 1000;
}

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
  const never = ["delivered", "bounced", "complained"].filter((one) => !fate.includes(one));
  // A rejection by a block list may be shown as a bounce.
  const isRight = !never.includes(status) || (fate.length === 0 && status === "bounced");
  return [expects([id], isRight, `not ${never.join(" or ")}`, status)];
}

/** What the history and the bounce of a message say. */
function eventFindings({ sent }: Message, record: Json): Finding[] {
  const { status, events } = record;
  const bounce = (record.bounce ?? {}) as Json;
  const [recipient = "", ...others] = recipientsOf(sent);
  const isLone = others.length === 0;
  const wasSent = ["sent", "delivered", "bounced", "complained"].includes(String(status));
  const sends = entriesIn(events).filter(({ type }) => !isLone || type === "sent").length;
  const bounced = entriesIn(events).find(({ type }) => type === "bounced");
  const hasText = !bounced || String(bounced.detail).includes(String(bounce.diagnostic ?? ""));
  const isTemporary = isLone && recipient.startsWith("bounce@") && bounce.permanent === false;
  const rows: [string, string, boolean][] = [
    ["LOOK-15", "a message that was sent has an event of it", !wasSent || sends > 0],
    ["SCHED-10", "a message is sent once", !isLone || sends <= 1],
    ["DELIV-6", "a bounce is an event", status !== "bounced" || bounced !== undefined],
    ["EVENT-3", "the event of a bounce has its diagnostic text", hasText],
    ["SIM-2", "a simulated bounce is permanent", !isTemporary],
  ];
  return rows.map(([id, title, passes]) => expects([id], passes, title, format({ events, bounce })));
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
    equals(["LOOK-15"], "lost events", lost, []),
  ];
}
