import { type Lifecycle, lifecycles, simulator } from "../../../../generated/lifecycles.ts";
import { format } from "../../support/assertions.ts";
import { asSet, between, equals, expects, type Finding, oneOf } from "../allowed.ts";
import { type Context, entriesIn, type Json, type Message } from "../world.ts";
import { recipientsOf } from "./recipients.ts";
import { timeOf } from "./sending.ts";

/** Compares a message record with the send, the requests since, and the record before. */
export function recordFindings(message: Message, record: Json, context: Context): Finding[] {
  const { id, kind, sent, suppressed } = message;
  const ofBatch = kind === "batch" ? ["BATCH-10"] : [];
  const remaining = ((sent.to ?? []) as string[]).filter((email) => !suppressed.includes(email));
  return [
    equals(["LOOK-2", "SCHED-9", "SCHED-21"], "id", record.id, id),
    equals(["LOOK-3", ...ofBatch], "from", record.from, sent.from),
    // Whether suppressed recipients are among them is unspecified.
    oneOf(["LOOK-4", ...ofBatch], "to", asSet(record.to), [asSet(sent.to), asSet(remaining)]),
    // Templates have subjects of their own.
    equals(["LOOK-5", ...ofBatch], "subject", record.subject, sent.subject ?? record.subject),
    equals(["LOOK-6", ...ofBatch], "tags", record.tags, sent.tags ?? {}),
    ...timeFindings(message, record, context),
    ...statusFindings(message, String(record.status), context),
    ...eventFindings(message, record),
    ...historyFindings(message.record, record),
  ];
}

/** Once a message is due, its `scheduled_at` may be null again. */
function timeFindings({ kind, dueAt, acceptedAt }: Message, record: Json, { now }: Context): Finding[] {
  const { scheduled_at, sent_at, status } = record;
  const ids = ["LOOK-9", "SCHED-4", "SCHED-9", "SCHED-19"];
  const expected = dueAt === null ? null : new Date(dueAt).toISOString();
  const times = status === "scheduled" ? [expected] : [expected, null];
  const sent = between(["LOOK-10", "SCHED-20"], "sent_at", sent_at, dueAt ?? acceptedAt, now);
  return [
    ...(kind === "immediate" ? [equals(["LOOK-9"], "scheduled_at", scheduled_at, null)] : []),
    ...(kind === "scheduled" ? [oneOf(ids, "scheduled_at", timeOf(scheduled_at), times)] : []),
    ...(sent_at == null || status === "delayed" ? [] : [sent]),
  ];
}

const { states, transitions, unspecified }: Lifecycle = lifecycles.message;
const fateIds: Readonly<Record<string, string[]>> = {
  success: ["SIM-1"],
  bounce: ["SIM-2"],
  complaint: ["SIM-3"],
  suppressionlist: ["SIM-4"],
};

function statusFindings(message: Message, status: string, context: Context): Finding[] {
  const { kind, dueAt, isCanceled, record } = message;
  if (isCanceled) return [equals(["SCHED-13", "SCHED-14"], "status", status, "canceled")];
  if (dueAt !== null && context.now < dueAt)
    return [equals(["SCHED-1", "SCHED-7", "SCHED-9", "SCHED-19"], "status", status, "scheduled")];
  const ids = kind === "immediate" ? ["DELIV-1"] : ["SCHED-19", "SCHED-20"];
  const impossible = isLate(message, context, "dispatch") ? ["canceled", "scheduled"] : ["canceled"];
  const started = states.filter((state) => !impossible.includes(state));
  const next = record === undefined ? states : nextOf(String(record.status));
  return [
    oneOf(ids, "status", status, started),
    ...fateFindings(message, status, context),
    oneOf(["DELIV-2", "DELIV-5", "DELIV-7"], "status", status, next),
  ];
}

/** Whether the deadline for something has passed since sending began. */
function isLate(message: Message, { sentAt, deadlines }: Context, what: "dispatch" | "delivery"): boolean {
  return sentAt > (message.dueAt ?? message.acceptedAt) + deadlines[what] * 1000;
}

/** The statuses that a message of a status can have later. */
function nextOf(status: string): readonly string[] {
  if (unspecified.includes(status)) return states;
  const found = new Set([status, ...unspecified]);
  const applies = (from: readonly string[] | null): boolean =>
    from?.some((one) => found.has(one) && !unspecified.includes(one)) ?? false;
  for (const { from, to, error } of [...transitions, ...transitions]) {
    if (error !== undefined || !applies(from)) continue;
    // The status is unspecified.
    if (to === null) return states;
    found.add(to);
  }
  // A status without transitions is final.
  return found.size === 1 + unspecified.length ? [status] : [...found];
}

/** What becomes of a message to one simulated recipient (`states` is empty for one whose status is unspecified). */
function fateFindings(message: Message, status: string, context: Context): Finding[] {
  const [recipient = "", ...others] = recipientsOf(message.sent);
  const simulated = simulator.recipients.find(
    ({ localPart }) => recipient === `${localPart}@${context.fixtures.simulatorDomain}`,
  );
  if (simulated === undefined || others.length > 0) return [];
  const ids = fateIds[simulated.localPart] ?? [];
  const fate: readonly string[] = simulated.states;
  const last = fate.at(-1);
  const idsOfSend = { immediate: [], scheduled: ["SCHED-20"], batch: ["BATCH-14"] }[message.kind];
  if (last !== undefined && isLate(message, context, "delivery"))
    return [equals([...ids, ...idsOfSend], "the final status", status, last)];
  const ends = last === undefined ? ["delivered", "complained"] : ["delivered", "bounced", "complained"];
  const never = ends.filter((one) => !fate.includes(one));
  return [expects(ids, !never.includes(status), `not ${never.join(" or ")}`, status)];
}

const eventsIn = ({ events }: Json, type?: string): Json[] =>
  entriesIn(events).filter((event) => type === undefined || event.type === type);

/** What the history and the bounce of a message say. */
function eventFindings({ sent }: Message, { sent_at, status, bounce, ...record }: Json): Finding[] {
  const [recipient = "", ...others] = recipientsOf(sent);
  const [bounced] = eventsIn(record, "bounced");
  const isLone = others.length === 0;
  const wasSent = ["sent", "delivered", "bounced", "complained"].includes(String(status));
  const sends = eventsIn(record, "sent").length;
  const { diagnostic, permanent } = (bounce ?? {}) as Json;
  const isBounce = recipient.startsWith("bounce@") && isLone && (bounce ?? null) !== null;
  const hasText = !bounced || typeof diagnostic !== "string" || String(bounced.detail).includes(diagnostic);
  const rows: [string, string, boolean][] = [
    ["LOOK-15", "a sent message has events", sent_at === null || eventsIn(record).length > 0],
    ["LOOK-15", "a message that was sent has an event of it", !isLone || !wasSent || sends > 0],
    ["SCHED-10", "a message is sent once", !isLone || sends <= 1],
    ["DELIV-6", "a bounce is an event", status !== "bounced" || bounced !== undefined],
    ["EVENT-3", "the event of a bounce has its diagnostic text", hasText],
    ["SIM-2", "a simulated bounce is permanent", !isBounce || permanent === true],
  ];
  return rows.map(([id, title, passes]) => expects([id], passes, title, format({ ...record, bounce })));
}

/** Times that are set, and events, stay. */
function historyFindings(before: Json | undefined, record: Json): Finding[] {
  if (before === undefined) return [];
  const texts = (of: Json): string[] => eventsIn(of).map((event) => JSON.stringify(event));
  const lost = texts(before).filter((event) => !texts(record).includes(event));
  const wasSet = Object.entries(times).filter(([name]) => (before[name] ?? null) !== null);
  return [
    ...wasSet.map(([name, id]) => equals([id], name, record[name], before[name])),
    expects(["LOOK-15"], lost.length === 0, `events ${lost.join(", ")}`, format(record.events)),
  ];
}

const times = {
  sent_at: "LOOK-10",
  delivered_at: "LOOK-11",
  bounced_at: "LOOK-12",
  complained_at: "LOOK-13",
};
