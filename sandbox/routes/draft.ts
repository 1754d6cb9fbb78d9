import type { Draft } from "../domain/new-message.ts";
import type { Attachment, MessageContent } from "../domain/records.ts";
import { readSendTime } from "../domain/scheduling.ts";
import { fillTemplate } from "../domain/templates.ts";
import type { Exchange, Parts } from "../exchange.ts";
import { linkFaults } from "../validation/attachments.ts";
import type { FieldFault } from "../validation/field-errors.ts";

/** A send request that its schema holds for. */
export interface SendBody {
  from: string;
  to: string[];
  cc?: string[];
  bcc?: string[];
  subject?: string;
  html?: string;
  text?: string;
  template_id?: string;
  variables?: Record<string, unknown>;
  reply_to?: string;
  tags?: Record<string, string>;
  headers?: Record<string, string>;
  attachments?: Attachment[];
  scheduled_at?: string;
}

/** Makes the message that a request describes, or tells which fields are wrong in ways that no schema can say. */
export function draftOf(
  body: SendBody,
  exchange: Exchange,
  parts: Parts,
  prefix: string,
): Draft | readonly FieldFault[] {
  const faults: FieldFault[] = body.attachments === undefined ? [] : linkFaults(body.attachments, prefix);
  const scheduledAt = timeOf(body, exchange, prefix, faults);
  const content = contentOf(body, exchange, parts, prefix, faults);
  if (faults.length > 0 || content === undefined) return faults;
  const recipients = { to: body.to, cc: body.cc ?? [], bcc: body.bcc ?? [] };
  return { from: body.from, recipients, tags: body.tags ?? {}, content, scheduledAt };
}

function timeOf(body: SendBody, { now }: Exchange, prefix: string, faults: FieldFault[]): number | null {
  if (body.scheduled_at === undefined) return null;
  const time = readSendTime(body.scheduled_at, now);
  if ("at" in time) return time.at;
  faults.push([`${prefix}scheduled_at`, time.fault]);
  return null;
}

function contentOf(
  body: SendBody,
  exchange: Exchange,
  parts: Parts,
  prefix: string,
  faults: FieldFault[],
): MessageContent | undefined {
  const rest = {
    reply_to: body.reply_to ?? null,
    headers: body.headers ?? {},
    attachments: body.attachments ?? [],
  };
  if (body.template_id === undefined) {
    const { subject = "", html = null, text = null } = body;
    return { subject, html, text, ...rest };
  }
  const template = parts.directory.template(exchange.account.id, body.template_id);
  if (template?.published) return { ...fillTemplate(template, body.variables ?? {}), ...rest };
  faults.push([`${prefix}template_id`, "This account has no published template of this id."]);
  return undefined;
}
