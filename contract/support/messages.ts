import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { scenario } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import * as hostile from "../generated-cases/hostile-values.ts";
import { bodyOf, entriesIn, format, idOf, type Json, requestOk } from "./assertions.ts";

/** The local parts of the simulated recipients (Simulated recipients). */
export type SimulatedRecipient = "success" | "bounce" | "complaint" | "suppressionlist";

export const simulatedRecipient = (tester: Tester, local: SimulatedRecipient = "success"): string =>
  `${local}@${configured(tester.settings.fixtures.simulatorDomain, "simulatorDomain")}`;

export const newRecipient = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${configured(tester.settings.fixtures.recipientDomain, "recipientDomain")}`;

export type From = (tester: Tester) => string;

export const senderOn =
  (name: "verified" | "restricted" | "unfinished" | "stopped"): From =>
  (tester) =>
    `contract@${configured(tester.settings.fixtures.domains?.[name], `domains.${name}`)}`;

/** An address on the verified domain of the account. */
export const sender = senderOn("verified");

/** A minimal message to the simulated recipient `success`, with overrides. */
export const message = (tester: Tester, changes: Json = {}): Json => ({
  from: "from" in changes ? changes.from : sender(tester),
  to: "to" in changes ? changes.to : [simulatedRecipient(tester)],
  subject: `Contract check ${tester.run.unique()}`,
  text: "Sent by a check of the contract.",
  ...changes,
});

export function templateMessage(
  tester: Tester,
  { id, variables = {} }: { id: string; variables?: Json | undefined },
  changes?: Json,
): Json {
  const { subject: _, text: __, ...rest } = message(tester, changes);
  return { ...rest, template_id: id, variables };
}

/** A message from the configured template. */
export const publishedTemplate: typeof message = (tester, changes) =>
  templateMessage(tester, configured(tester.settings.fixtures.template, "template"), changes);

export const batchOf = (...messages: Json[]) => ({ emails: messages });

export const send = async (tester: Tester, changes: Json = {}): Promise<string> =>
  idOf(await requestOk(tester, "sendEmail", { body: message(tester, changes) }));

/** Schedules a message, in an hour by default, and returns its id. */
export const schedule = (tester: Tester, seconds = 3600, changes: Json = {}): Promise<string> =>
  send(tester, { scheduled_at: secondsAhead(tester, seconds), ...changes });

/** Reschedules a message; the time is a text, or in seconds from now. */
export const reschedule = (tester: Tester, id: string, time: string | number): Promise<Exchange> =>
  requestOk(tester, "rescheduleEmail", {
    path: { id },
    body: { scheduled_at: typeof time === "number" ? secondsAhead(tester, time) : time },
  });

export const cancel = (tester: Tester, id: string) => requestOk(tester, "cancelEmail", { path: { id } });

/** The server's time plus this many seconds, rounded up to whole seconds. */
export const secondsAhead = (tester: Tester, seconds: number): string =>
  new Date(Math.ceil(tester.run.now() / 1000) * 1000 + seconds * 1000).toISOString().replace(".000Z", "Z");

/** Looks a message up and requires success. */
export const lookUpMessage = (tester: Tester, id: string, key: Role = "full"): Promise<Exchange> =>
  requestOk(tester, "getEmail", { key, path: { id } });

/** An address on the verified domain of a role's account. */
export const senderOf = (tester: Tester, role: Role): string =>
  `contract@${configured(tester.settings.fixtures.domains?.ofRole?.[role], `domains.ofRole.${role}`)}`;

/** A message from the domain of the second account. */
export const messageOfOther: typeof message = (tester, changes) =>
  message(tester, { from: senderOf(tester, "otherAccount"), ...changes });

export const sends = ["sendEmail", "sendBatch"] as const satisfies readonly OperationId[];

/** What sends to simulated recipients need. */
export const emailNeeds = ["domains.verified", "simulatorDomain"] as const;

/** An address outside the domain of the restricted key. */
export const otherVerifiedSender: From = (tester) => {
  const from = sender(tester);
  if (from === senderOn("restricted")(tester))
    throw new NotVerified("domains.verified is the domain of the restricted key.");
  return from;
};

export const latest = (lookups: readonly Exchange[]): Exchange => lookups.at(-1) as Exchange;

/** The status of a message record; empty if it has none. */
export const statusOf = ({ json }: Exchange): string => {
  const status = (json as { status?: unknown } | null | undefined)?.status;
  return typeof status === "string" ? status : "";
};

type Deadline = "delivery" | "dispatch";

/** Asserts one of these statuses, at the end of a deadline if one is given: a slower server needs a longer one. */
export function assertStatus(exchange: Exchange, states: string | readonly string[], deadline?: Deadline) {
  const all = [states].flat();
  const hint = deadline === undefined ? "" : ` before deadlines.${deadline} is over`;
  assert(all.includes(statusOf(exchange)), exchange, {
    expected: `status ${all.join(" or ")}${hint}`,
    found: format(bodyOf(exchange).status),
  });
}

/** A time in a message record, in milliseconds since 1970; null if it is not set. */
function timeOf(exchange: Exchange, field: string): number | null {
  const value = bodyOf(exchange)[field] ?? null;
  if (value === null) return null;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  assert(!Number.isNaN(time), exchange, { expected: `a time in ${field}`, found: format(value) });
  return time;
}

export function assertTime(exchange: Exchange, field: string): number {
  const time = timeOf(exchange, field);
  assert(time !== null, exchange, { expected: `a time in ${field}`, found: "null" });
  return time;
}

export function assertNull(exchange: Exchange, field: string, when: string): void {
  const value = bodyOf(exchange)[field];
  assert(value === null, exchange, { expected: `${field} null ${when}`, found: format(value) });
}

/** Asserts that one time is not before another, in whole seconds, which is all that some servers keep. */
export function assertOrder(exchange: Exchange, early: [string, number], late: [string, number]): void {
  assert(Math.floor(early[1] / 1000) <= Math.floor(late[1] / 1000), exchange, {
    expected: `${late[0]} not before ${early[0]}, ${new Date(early[1]).toISOString()}`,
    found: new Date(late[1]).toISOString(),
  });
}

export const eventsOf = (exchange: Exchange): Json[] => entriesIn(exchange, "events");

export const eventsOfType = (exchange: Exchange, type: string): Json[] =>
  eventsOf(exchange).filter((event) => event.type === type);

/** Sorted texts, because the order of email addresses has no meaning. */
export const unordered = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(String).sort() : value;

/** Asserts the same moment, whatever its notation. */
export function assertTimestamp(exchange: Exchange, field: string, at: number): void {
  assert(timeOf(exchange, field) === at, exchange, {
    expected: `${field} ${new Date(at).toISOString()}`,
    found: format(bodyOf(exchange)[field]),
  });
}

/** The specified part of the state of a message or a contact: descriptive texts may change with time. */
const stateFields =
  "id status scheduled_at sent_at delivered_at bounced_at complained_at subject marketing_blocked".split(" ");

export const stateOf = (exchange: Exchange): Json =>
  Object.fromEntries(stateFields.map((name) => [name, bodyOf(exchange)[name]]));

export const sentStatuses = ["sent", "delayed", "delivered", "complained", "bounced"] as const;

/** Final statuses of a message to a simulated recipient. The transitions of `rejected` and `failed` are unspecified. */
const lastOfAll = ["complained", "bounced", "canceled"];
const last: Readonly<Record<SimulatedRecipient, readonly string[]>> = {
  success: ["delivered", ...lastOfAll],
  bounce: ["delivered", ...lastOfAll],
  complaint: lastOfAll,
  suppressionlist: ["delivered", ...lastOfAll, "rejected", "failed"],
};

/** In milliseconds between the first two lookups of a message. */
const firstPause = 250;

/** Tags with all characters that names and values can have. */
export const sampleTags = { order: "1042", "a-Z_0:9.": "Größe: 42 / café", empty: "" };

/** A message to a simulated recipient, looked up until its final status or the deadline for delivery. */
export const trackedMessage = (local: SimulatedRecipient) =>
  scenario(`a message to ${local}`, emailNeeds, async (tester) => {
    const body = message(tester, { to: [simulatedRecipient(tester, local)], tags: sampleTags });
    const never = local === "suppressionlist" ? ": a message that is accepted, and never delivered" : "";
    const response = await requestOk(tester, "sendEmail", { body }, `success${never}`);
    const id = idOf(response);
    /** At least one; the first is right after the send. */
    const lookups = await pollMessage(tester, id, (status) => last[local].includes(status), "delivery");
    return { id, body, response, lookups, last: latest(lookups) };
  });

/** Looks a message up until its status fits or the deadline has passed. Returns all lookups, at least one. */
export async function pollMessage(
  tester: Tester,
  id: string,
  isSo: (status: string) => boolean,
  deadline: Deadline,
  key: Role = "full",
): Promise<Exchange[]> {
  const lookups: Exchange[] = [];
  const look = async (): Promise<string> => {
    const found = await lookUpMessage(tester, id, key);
    lookups.push(found);
    return statusOf(found);
  };
  await tester.until(look, isSo, tester.settings.deadlines[deadline], firstPause);
  return lookups;
}

/** Looks a message up until it is sent or the deadline has passed. */
export const pollUntilSent = (tester: Tester, id: string, key: Role = "full"): Promise<Exchange[]> =>
  pollMessage(tester, id, (status) => sentStatuses.some((one) => one === status), "dispatch", key);

export const batchEntries = (exchange: Exchange): Json[] => entriesIn(exchange, "data");

const locals = ["success", "bounce", "complaint", "suppressionlist"] as const;

/** A batch, and the lookups of its messages right after the response, which may be errors. */
async function batchWithLookups(tester: Tester, messages: Json[]) {
  const options = { body: batchOf(...messages), headers: { "Idempotency-Key": tester.run.unique() } };
  const response = await requestOk(tester, "sendBatch", options);
  const lookups = await Promise.all(
    batchEntries(response).map(({ id }) => tester.request("getEmail", { path: { id: String(id) } })),
  );
  return { options, messages, response, lookups };
}

/** One distinct message per simulated recipient. The first one also goes to a suppressed recipient, if one is configured. */
export const sentBatch = scenario("a batch for the simulated recipients", emailNeeds, (tester) => {
  const suppressed = tester.settings.fixtures.suppressed?.slice(0, 1) ?? [];
  const messages = locals.map((local, index) => {
    const to = [simulatedRecipient(tester, local), ...(index === 0 ? suppressed : [])];
    return message(tester, { to, tags: { 0: "true", 1: "null", 2: String(index) } });
  });
  return batchWithLookups(tester, messages);
});

/** Of the maximum size, with more than a megabyte: all messages differ, and some have a suppressed recipient. */
export const largestBatch = scenario("a batch of the maximum size", emailNeeds, (tester) => {
  const { suppressed = [], recipientDomain } = tester.settings.fixtures;
  const cake = "Bread and cake. ".repeat(800);
  const subjects = hostile.sampled(tester, hostile.texts(limits.subjectLength));
  const values = hostile.sampled(tester, hostile.texts(limits.messageTagValueLength));
  const largest = "\u{1f382}".repeat(limits.messageTagValueLength);
  const localParts = hostile.sampled(tester, hostile.localParts);
  const messages = Array.from({ length: limits.batchMessages }, (_, index) => {
    const to = [recipientDomain === undefined ? simulatedRecipient(tester) : newRecipient(tester)];
    const cc = index % 7 === 3 && suppressed.length > 0 ? { cc: suppressed.slice(0, 1) } : {};
    const from = sender(tester).replace("@", `${localParts[index % localParts.length]}@`);
    const own = tester.run.unique();
    const bodies = { html: `<p>${own}</p><p>${cake}</p>`, text: `${own} ${cake}` };
    const one = message(tester, { from, to, ...cc, ...bodies });
    const subject = [...`${one.subject} ${subjects[index % subjects.length]}`]
      .slice(0, limits.subjectLength)
      .join("");
    // One message has as much as tags can have in all.
    const [most, some] = index === 40 ? [limits.messageTags - 1, [largest]] : [5, values];
    const tags = Array.from({ length: most }, (_, at) => [`tag-${at}`, some[(5 * index + at) % some.length]]);
    // The next one has none.
    if (index === 41) return { ...one, subject };
    return { ...one, subject, tags: { position: String(index), ...Object.fromEntries(tags) } };
  });
  return batchWithLookups(tester, messages);
});

export async function idInBatch(tester: Tester, local: SimulatedRecipient): Promise<string> {
  const { messages, response, lookups } = await sentBatch(tester);
  const wanted = simulatedRecipient(tester, local);
  // Found by its record, because entries in the wrong order fail another check.
  const place = lookups.findIndex(
    (lookup) => isSuccess(lookup) && String(unordered(bodyOf(lookup).to)).includes(wanted),
  );
  const position = place >= 0 ? place : messages.findIndex(({ to }) => (to as string[]).includes(wanted));
  return String(batchEntries(response)[position]?.id);
}

/** The lookups of the batch's message to a simulated recipient, until its final status or the deadline for delivery. */
export const trackedInBatch = (local: SimulatedRecipient) =>
  scenario(`a message of a batch to ${local}`, emailNeeds, async (tester) => {
    const id = await idInBatch(tester, local);
    return pollMessage(tester, id, (status) => last[local].includes(status), "delivery");
  });

/** How a message is sent; several messages are in one batch. */
export const sendKinds = ["sendEmail", "sendEmail, scheduled", "sendBatch"] as const;
export type SendKind = (typeof sendKinds)[number];
export const singleSends = ["sendEmail", "sendEmail, scheduled"] as const;

export const operationOf = (kind: SendKind) => (kind === "sendBatch" ? "sendBatch" : "sendEmail");

/** In seconds. */
export const hour = 3600;

export function sendBy(tester: Tester, kind: SendKind, messages: readonly Json[], key: Role = "full") {
  const [first = {}] = messages;
  const body = {
    sendEmail: first,
    "sendEmail, scheduled": { ...first, scheduled_at: secondsAhead(tester, hour) },
    sendBatch: batchOf(...messages),
  };
  return tester.request(operationOf(kind), { key, body: body[kind] });
}
