import type { RequestContext, Services } from "../api/context.ts";
import type { Draft } from "../domain/new-message.ts";
import type { Attachment, MessageContent, Template } from "../domain/records.ts";
import { readSendTime } from "../domain/scheduling.ts";
import { fillTemplate } from "../domain/templates.ts";
import { linkFaults } from "../validation/attachments.ts";
import type { FieldFault } from "../validation/field-errors.ts";

/** A send request that its schema holds for. */
interface SendBody {
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

/**
 * Makes the message that a request describes, or tells which fields are wrong. A field whose form is right is looked at further even
 * when others are misshapen, so that each field that is wrong is told of at once.
 *
 * @param misshapen what is wrong with the form of its fields
 */
export function draftOf(
  body: Record<string, unknown>,
  misshapen: readonly FieldFault[],
  exchange: RequestContext,
  parts: Services,
  prefix: string,
): Draft | readonly FieldFault[] {
  const names = new Set(misshapen.map(([name]) => name));
  const text = (name: string): string | undefined => {
    const value = body[name];
    return typeof value === "string" && !names.has(prefix + name) ? value : undefined;
  };
  const faults = [...misshapen, ...linkFaults(body.attachments, prefix, names)];
  const scheduledAt = timeOf(text("scheduled_at"), exchange, prefix, faults);
  const template = templateOf(text("template_id"), exchange, parts, prefix, faults);
  if (faults.length > 0) return faults;
  // Nothing is wrong with it.
  const send = body as unknown as SendBody;
  const recipients = { to: send.to, cc: send.cc ?? [], bcc: send.bcc ?? [] };
  return {
    from: send.from,
    recipients,
    tags: send.tags ?? {},
    content: contentOf(send, template),
    scheduledAt,
  };
}

function timeOf(
  text: string | undefined,
  { now }: RequestContext,
  prefix: string,
  faults: FieldFault[],
): number | null {
  if (text === undefined) return null;
  const time = readSendTime(text, now);
  if ("at" in time) return time.at;
  faults.push([`${prefix}scheduled_at`, time.fault]);
  return null;
}

function templateOf(
  id: string | undefined,
  { account }: RequestContext,
  { directory }: Services,
  prefix: string,
  faults: FieldFault[],
): Template | undefined {
  if (id === undefined) return undefined;
  const template = directory.template(account.id, id);
  if (template?.published) return template;
  faults.push([`${prefix}template_id`, "This account has no published template of this id."]);
  return undefined;
}

function contentOf(send: SendBody, template: Template | undefined): MessageContent {
  const rest = {
    reply_to: send.reply_to ?? null,
    headers: send.headers ?? {},
    attachments: send.attachments ?? [],
  };
  if (template !== undefined) return { ...fillTemplate(template, send.variables ?? {}), ...rest };
  const { subject = "", html = null, text = null } = send;
  return { subject, html, text, ...rest };
}
