import { type Lifecycle, lifecycles, simulator } from "../../../../generated/lifecycles.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { format } from "../../support/assertions.ts";
import { asSet, between, equals, oneOf } from "../allowed.ts";
import type { Context, Json, Message } from "../world.ts";
import { recipientsOf } from "./recipients.ts";
import { timeOf } from "./sending.ts";

/** Compares a message record with the send, the requests since, and the record before. */
export function recordFindings(message: Message, record: Json, context: Context): ResponseFinding[] {
  const { id, kind, sent, suppressed } = message;
  const ofBatch = kind === "batch" ? ["BATCH-10"] : [];
  const remaining = ((sent.to ?? []) as string[]).filter((email) => !suppressed.includes(email));
  return [
    equals(["LOOK-2", "SCHED-9", "SCHED-21"], "id", record.id, id),
    equals(["LOOK-3", ...ofBatch], "from", record.from, sent.from),
    // Whether suppressed recipients are among them is unspecified.
    oneOf(["LOOK-4", ...ofBatch], "to", asSet(record.to), [asSet(sent.to), asSet(remaining)]),
    ...(sent.subject === undefined
      ? []
      : [equals(["LOOK-5", ...ofBatch], "subject", record.subject, sent.subject)]),
    equals(["LOOK-6", ...ofBatch], "tags", record.tags, sent.tags ?? {}),
    ...timeFindings(message, record, context),
    ...statusFindings(message, String(record.status), context),
    ...eventFindings(message, record),
    ...historyFindings(message.record, record),
  ];
}

/** Clocks differ, and some servers keep whole seconds. Once a message is due, its `scheduled_at` may be null again. */
function timeFindings(
  { kind, dueAt, acceptedAt }: Message,
  record: Json,
  { now }: Context,
): ResponseFinding[] {
  const ids = ["LOOK-9", "SCHED-4", "SCHED-9", "SCHED-19"];
  const found = timeOf(record.scheduled_at);
  const expected = dueAt === null ? null : new Date(dueAt).toISOString();
  const { sent_at } = record;
  return [
    ...(kind === "immediate" ? [equals(["LOOK-9"], "scheduled_at", record.scheduled_at, null)] : []),
    ...(kind === "scheduled"
      ? [oneOf(ids, "scheduled_at", found, record.status === "scheduled" ? [expected] : [expected, null])]
      : []),
    ...(sent_at == null || record.status === "delayed"
      ? []
      : [between(["LOOK-10", "SCHED-20"], "sent_at", sent_at, [dueAt ?? acceptedAt, now])]),
  ];
}

const { states, transitions, unspecified }: Lifecycle = lifecycles.message;
const fateIds: Readonly<Record<string, string[]>> = {
  success: ["SIM-1"],
  bounce: ["SIM-2"],
  complaint: ["SIM-3"],
  suppressionlist: ["SIM-4"],
};

function statusFindings(message: Message, status: string, context: Context): ResponseFinding[] {
  const { kind, dueAt, isCanceled, record } = message;
  if (isCanceled) return [equals(["SCHED-13", "SCHED-14"], "status", status, "canceled")];
  if (dueAt !== null && context.now < dueAt)
    return [equals(["SCHED-1", "SCHED-7", "SCHED-9", "SCHED-19"], "status", status, "scheduled")];
  const ids = kind === "immediate" ? ["DELIV-1"] : ["SCHED-19", "SCHED-20"];
  const started = states.filter(
    (state) => state !== "canceled" && (state !== "scheduled" || !isLate(message, context, "dispatch")),
  );
  return [
    oneOf(ids, "status", status, started),
    ...fateFindings(message, status, context),
    ...(record === undefined
      ? []
      : [oneOf(["DELIV-2", "DELIV-5", "DELIV-7"], "status", status, nextOf(String(record.status)))]),
  ];
}

/** Whether the deadline for something has passed since sending began. */
const isLate = (
  { acceptedAt, dueAt }: Message,
  { sentAt, deadlines }: Context,
  what: "dispatch" | "delivery",
): boolean => sentAt > (dueAt ?? acceptedAt) + deadlines[what] * 1000;

/** The statuses that a message of a status can have later. */
function nextOf(status: string): readonly string[] {
  if (unspecified.includes(status)) return states;
  const found = new Set([status, ...unspecified]);
  for (const { from, to, error } of [...transitions, ...transitions]) {
    if (
      from === null ||
      error !== undefined ||
      !from.some((one) => found.has(one) && !unspecified.includes(one))
    )
      continue;
    // The status is unspecified.
    if (to === null) return states;
    found.add(to);
  }
  // A status without transitions is final.
  return found.size === 1 + unspecified.length ? [status] : [...found];
}

/** What becomes of a message to one simulated recipient (`states` is empty for one whose status is unspecified). */
function fateFindings(message: Message, status: string, context: Context): ResponseFinding[] {
  const [recipient = "", ...others] = recipientsOf(message.sent);
  const simulated = simulator.recipients.find(
    ({ localPart }) => recipient === `${localPart}@${context.fixtures.simulatorDomain}`,
  );
  if (simulated === undefined || others.length > 0) return [];
  const ids = fateIds[simulated.localPart] ?? [];
  const fate: readonly string[] = simulated.states;
  const last = fate.at(-1);
  if (last === undefined)
    return [
      finding(ids, "the status of a message to a block list", !["delivered", "complained"].includes(status), {
        expected: "never delivered",
        found: status,
      }),
    ];
  const idsOfSend = { immediate: [], scheduled: ["SCHED-20"], batch: ["BATCH-14"] }[message.kind];
  if (isLate(message, context, "delivery"))
    return [equals([...ids, ...idsOfSend], "the final status", status, last)];
  const never = ["delivered", "bounced", "complained"].filter((one) => !fate.includes(one));
  return [
    finding(ids, "the status for a simulated recipient", !never.includes(status), {
      expected: fate.join(" or "),
      found: status,
    }),
  ];
}

const eventsIn = ({ events }: Json, type?: string): Json[] =>
  (Array.isArray(events) ? (events as Json[]) : []).filter(
    (event) => type === undefined || event.type === type,
  );

/** What the history and the bounce of a message say. */
function eventFindings({ sent }: Message, { sent_at, status, bounce, ...record }: Json): ResponseFinding[] {
  const [recipient = "", ...others] = recipientsOf(sent);
  const [bounced] = eventsIn(record, "bounced");
  const isLone = others.length === 0;
  const wasSent = ["sent", "delivered", "bounced", "complained"].includes(String(status));
  const sends = eventsIn(record, "sent").length;
  const { diagnostic, permanent } = (bounce ?? {}) as Json;
  const rows: [string, string, boolean][] = [
    ["LOOK-15", "a sent message has events", sent_at === null || eventsIn(record).length > 0],
    ["LOOK-15", "a message that was sent has an event of it", !isLone || !wasSent || sends > 0],
    ["SCHED-10", "a message is sent once", !isLone || sends <= 1],
    ["DELIV-6", "a bounce is an event", status !== "bounced" || bounced !== undefined],
    [
      "EVENT-3",
      "the event of a bounce has its diagnostic text",
      bounced === undefined || typeof diagnostic !== "string" || String(bounced.detail).includes(diagnostic),
    ],
    [
      "SIM-2",
      "a simulated bounce is permanent",
      !recipient.startsWith("bounce@") ||
        others.length > 0 ||
        (bounce ?? null) === null ||
        permanent === true,
    ],
  ];
  return rows.map(([id, title, passes]) =>
    finding([id], title, passes, { expected: title, found: format({ ...record, bounce }) }),
  );
}

/** Times that are set, and events, stay. */
function historyFindings(before: Json | undefined, record: Json): ResponseFinding[] {
  if (before === undefined) return [];
  const times = {
    sent_at: "LOOK-10",
    delivered_at: "LOOK-11",
    bounced_at: "LOOK-12",
    complained_at: "LOOK-13",
  };
  const events = (of: Json): string[] => eventsIn(of).map((event) => JSON.stringify(event));
  const lost = events(before).filter((event) => !events(record).includes(event));
  return [
    ...Object.entries(times).flatMap(([name, id]) =>
      (before[name] ?? null) === null ? [] : [equals([id], name, record[name], before[name])],
    ),
    finding(["LOOK-15"], "the history of a message keeps its events", lost.length === 0, {
      expected: lost.join(", "),
      found: format(record.events),
    }),
  ];
}
