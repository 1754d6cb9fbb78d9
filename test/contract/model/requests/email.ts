import type { Role } from "../../engine/settings.ts";
import type { EmailStep, MessageStep, Recipient, When } from "../steps/email.ts";
import type { Json, Message, ModelRequest, World } from "../world.ts";
import { next, pick, type Sequence, withKey } from "./sequence.ts";

/** The request of a step; undefined if there is no message that it could be about. */
export function emailRequest(
  step: EmailStep,
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
  }
}

const ofMessage = (request: ModelRequest, message: Message | undefined): ModelRequest | undefined =>
  message === undefined ? undefined : { ...request, path: { id: message.id } };

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

/** Another body for the same idempotency key. */
export function changedSend(body: Json, _change: number): Json {
  const { emails } = body;
  if (Array.isArray(emails)) return { emails: [...emails, emails[0]] };
  return { ...body, tags: { changed: "yes" } };
}
