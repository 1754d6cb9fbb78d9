import { accountOf, type Fixtures, type Role } from "../engine/settings.ts";
import type { ContactDetails, ListName, MessageStep, Recipient, Step, When } from "./steps.ts";
import { contactOf, type Json, type Message, type ModelRequest, type World } from "./world.ts";

/** What the steps of one sequence have in common. */
export interface Sequence {
  fixtures: Fixtures;
  /** A text in all names, so that no other sequence has the same ones. */
  name: string;
  /** The number of email addresses and keys so far. */
  count: number;
}

const next = (sequence: Sequence): string => {
  sequence.count += 1;
  return `${sequence.name}-${sequence.count}`;
};

/** The request of a step; undefined if there is nothing that the step could be about. */
export function requestOf(
  step: Exclude<Step, { do: "confirm" | "wait" }>,
  sequence: Sequence,
  world: World,
  now: number,
): ModelRequest | undefined {
  switch (step.do) {
    case "send": {
      const body = messageOf(step.message, step.key, sequence);
      const scheduled = step.when === null ? body : { ...body, scheduled_at: timeOf(step.when, now) };
      return withKey({ operation: "sendEmail", key: step.key, body: scheduled }, step.keyed, sequence);
    }
    case "batch": {
      const emails = step.messages.map((message) => messageOf(message, step.key, sequence));
      return withKey({ operation: "sendBatch", key: step.key, body: { emails } }, step.keyed, sequence);
    }
    case "reschedule": {
      const body = { scheduled_at: timeOf(step.when, now) };
      return ofMessage(
        { operation: "rescheduleEmail", key: step.key, body },
        pick(world.messages, step.message),
      );
    }
    case "cancel":
      return ofMessage({ operation: "cancelEmail", key: step.key }, pick(world.messages, step.message));
    case "add":
      return withKey(addition(step, sequence), step.keyed, sequence);
    case "unsubscribe":
      return unsubscription(step, sequence, world);
    case "repeat":
      return repeatOf(pick(world.keyed, step.request)?.request, step.isChanged);
  }
}

/** One of several, counted round. */
const pick = <One>(all: readonly One[], index: number): One | undefined => all[index % all.length];

const ofMessage = (request: ModelRequest, message: Message | undefined): ModelRequest | undefined =>
  message === undefined ? undefined : { ...request, path: { id: message.id } };

function withKey(request: ModelRequest, isKeyed: boolean, sequence: Sequence): ModelRequest {
  return isKeyed ? { ...request, idempotencyKey: next(sequence) } : request;
}

function repeatOf(earlier: ModelRequest | undefined, isChanged: boolean): ModelRequest | undefined {
  if (earlier === undefined || !isChanged) return earlier;
  const { body = {} } = earlier;
  if (Array.isArray(body.emails)) return { ...earlier, body: { emails: [...body.emails, body.emails[0]] } };
  return {
    ...earlier,
    body: { ...body, tags: earlier.operation === "sendEmail" ? { changed: "yes" } : ["changed"] },
  };
}

/** A time with an offset from UTC, in whole seconds. */
function timeOf({ ahead, offset }: When, now: number): string {
  const at = Math.ceil(now / 1000) * 1000 + ahead * 60_000;
  const local = new Date(at + offset * 60_000).toISOString().replace(".000Z", "");
  const two = (value: number): string => String(Math.abs(Math.trunc(value))).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${two(offset / 60)}:${two(offset % 60)}`;
}

function messageOf(step: MessageStep, key: Role, sequence: Sequence): Json {
  const { fixtures } = sequence;
  const { domains = {}, template } = fixtures;
  const domain = key === "otherAccount" ? domains.ofRole?.otherAccount : domains.verified;
  const emails = (recipients: Recipient[]): string[] => [
    ...new Set(recipients.map((recipient) => emailOf(recipient, sequence))),
  ];
  const useTemplate = step.content === "template" && template !== undefined && key !== "otherAccount";
  return {
    from: `contract@${domain}`,
    to: emails(step.to),
    ...(step.cc.length === 0 ? {} : { cc: emails(step.cc) }),
    ...(step.bcc.length === 0 ? {} : { bcc: emails(step.bcc) }),
    ...(useTemplate
      ? { template_id: template.id, variables: template.variables }
      : contentOf(step.content, sequence)),
    ...(Object.keys(step.tags).length === 0 ? {} : { tags: step.tags }),
  };
}

const contentOf = (content: MessageStep["content"], sequence: Sequence): Json => ({
  subject: `Contract sequence ${sequence.name}`,
  ...(content === "html" ? {} : { text: "Sent by a sequence of the contract." }),
  ...(content === "html" || content === "both" ? { html: "<p>Sent by a sequence of the contract.</p>" } : {}),
});

function emailOf(recipient: Recipient, sequence: Sequence): string {
  const { simulatorDomain, suppressed = [], recipientDomain } = sequence.fixtures;
  if (recipient === "suppressed" && suppressed[0] !== undefined) return suppressed[0];
  if (recipient === "new" && recipientDomain !== undefined)
    return `contract-${next(sequence)}@${recipientDomain}`;
  return `${recipient === "new" || recipient === "suppressed" ? "success" : recipient}@${simulatorDomain}`;
}

/** The email address of a contact of the sequence. */
const contactEmail = (contact: number, { name, fixtures }: Sequence): string =>
  `contract-${name}-c${contact}@${fixtures.contactDomain ?? "example.com"}`;

const listOf = (name: ListName, { fixtures: { lists = {} } }: Sequence): number | undefined =>
  lists[name] ?? lists.plain;

function addition(step: Extract<Step, { do: "add" }>, sequence: Sequence): ModelRequest {
  const email = contactEmail(step.contact, sequence);
  const body = {
    email: step.upper ? email.toUpperCase() : email,
    list_id: listOf(step.list, sequence),
    ...step.details,
    ...fieldsOf(step.details, sequence),
  };
  return { operation: "upsertContact", key: step.key, body };
}

function fieldsOf({ fields }: ContactDetails, { fixtures: { fields: keys = {} } }: Sequence): Json {
  if (fields === undefined) return {};
  const pairs = Object.entries(fields).flatMap(([type, value]) => {
    const key = keys[type as keyof typeof keys];
    return key === undefined ? [] : [[key, value] as const];
  });
  return { fields: Object.fromEntries(pairs) };
}

function unsubscription(
  { key, contact: number, list }: Extract<Step, { do: "unsubscribe" }>,
  sequence: Sequence,
  world: World,
): ModelRequest {
  const email = contactEmail(number, sequence);
  const contact = contactOf(world, accountOf(key), email);
  const { otherAccount } = sequence.fixtures.lists ?? {};
  const left =
    list === "otherAccount"
      ? otherAccount
      : list === null
        ? undefined
        : pick([...(contact?.memberships.keys() ?? [])], list);
  return {
    operation: "unsubscribeContact",
    key,
    path: { email },
    body: left === undefined ? {} : { list_id: left },
  };
}
