import type { components } from "../../generated/types.ts";
import type { RequestContext, Services } from "../api/context.ts";
import type { Draft } from "../domain/new-message.ts";
import type { MessageContent, Template } from "../domain/records.ts";
import { readSendTime } from "../domain/scheduling.ts";
import { fillTemplate } from "../domain/templates.ts";
import { linkFaults } from "../validation/attachments.ts";
import type { FieldFault } from "../validation/field-errors.ts";

/** One list for all messages, of which most have only `to`. Recipients are never changed. */
const nobody: string[] = [];

const none: ReadonlySet<string> = new Set();

type SendBody = components["schemas"]["SendRequest"];

/**
 * Creates the message of a request, or returns what is wrong with its fields. Valid fields are checked further even when others do not match
 * the schema, so that one response names every invalid field.
 *
 * @param invalid the fields that do not match the schema
 */
export function draftOf(
  body: Record<string, unknown>,
  invalid: readonly FieldFault[],
  context: RequestContext,
  services: Services,
  prefix: string,
): Draft | readonly FieldFault[] {
  const names = invalid.length === 0 ? none : new Set(invalid.map(([name]) => name));
  const text = (name: string): string | undefined => {
    const value = body[name];
    return typeof value === "string" && !names.has(prefix + name) ? value : undefined;
  };
  const faults = [...invalid, ...linkFaults(body.attachments, prefix, names)];
  const scheduledAt = timeOf(text("scheduled_at"), context, prefix, faults);
  const template = templateOf(text("template_id"), context, services, prefix, faults);
  if (faults.length > 0) return faults;
  const send = body as unknown as SendBody;
  const recipients = { to: send.to, cc: send.cc ?? nobody, bcc: send.bcc ?? nobody };
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
  faults.push([`${prefix}template_id`, "This account has no published template with this id."]);
  return undefined;
}

function contentOf(send: SendBody, template: Template | undefined): MessageContent {
  const rest = {
    reply_to: send.reply_to ?? null,
    headers: send.headers ?? {},
    attachments: send.attachments ?? [],
  };
  const variables = ("variables" in send ? send.variables : undefined) ?? {};
  if (template !== undefined) return { ...fillTemplate(template, variables), ...rest };
  const { subject = "", html = null, text = null } = send;
  return { subject, html, text, ...rest };
}
