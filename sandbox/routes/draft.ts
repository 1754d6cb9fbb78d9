import { limits } from "../../generated/limits.ts";
import type { components } from "../../generated/types.ts";
import { schemas, type ValidationError } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import type { RequestContext, Services } from "../api/context.ts";
import { type FieldFault, faultsOf, isForHandler } from "../api/field-errors.ts";
import type { MessageContent, Template } from "../domain/records.ts";
import { type Draft, fillTemplate, readSendTime } from "../domain/sending.ts";
import { linkProblem } from "../mail/link.ts";

/** One list for all messages, of which most have only `to`. Recipients are never changed. */
const nobody: string[] = [];

const noNames: ReadonlySet<string> = new Set();

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
  const names = invalid.length === 0 ? noNames : new Set(invalid.map(([name]) => name));
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

/** The fields that a template replaces. */
const replaced = ["subject", "html", "text"];

/** The fields that messages of a batch must not have. */
const singleOnly = ["attachments", "scheduled_at"];

interface Variants {
  content: typeof schemas.ContentSend | typeof schemas.BatchContentMessage;
  template: typeof schemas.TemplateSend | typeof schemas.BatchTemplateMessage;
  /** Fields that are not allowed. */
  surplus: readonly string[];
}

const single: Variants = { content: schemas.ContentSend, template: schemas.TemplateSend, surplus: [] };
const batched: Variants = {
  content: schemas.BatchContentMessage,
  template: schemas.BatchTemplateMessage,
  surplus: singleOnly,
};

/** What is wrong with the message of a single send. */
export function sendFaults(message: Record<string, unknown>): readonly FieldFault[] {
  return messageFaults(message, single, "");
}

/** What is wrong with a message of a batch; `prefix` is its path, such as `emails.2.`. */
export function batchMessageFaults(message: unknown, prefix: string): readonly FieldFault[] {
  return isObject(message)
    ? messageFaults(message, batched, prefix)
    : [[prefix.slice(0, -1), "Must be an object."]];
}

const none: readonly FieldFault[] = [];

/** Chooses the variant by `template_id`, so that only the rules of that variant are reported. */
function messageFaults(
  message: Record<string, unknown>,
  variants: Variants,
  prefix: string,
): readonly FieldFault[] {
  const fromTemplate = message.template_id !== undefined;
  const valid = fromTemplate ? variants.template : variants.content;
  const empty: readonly FieldFault[] = isEmpty(message.to)
    ? [[`${prefix}to`, "Must have at least one recipient."]]
    : none;
  if (valid(message) || valid.errors?.every(isForHandler)) return empty;
  const faults = [...empty, ...faultsOf((valid.errors ?? []).filter(isPlain), prefix)];
  faults.push(...attachmentFaults(message.attachments, prefix));
  faults.push(...crossFaults(message, fromTemplate, variants.surplus, prefix));
  return faults.length > 0 ? faults : [[`${prefix}body`, "Is not valid."]];
}

/** Rules across fields, and those of attachments, have sentences of their own. */
function isPlain(error: ValidationError): boolean {
  if (error.instancePath.startsWith("/attachments/")) return false;
  return !(error.instancePath === "" && error.params.missingProperty === "text");
}

function crossFaults(
  message: Record<string, unknown>,
  fromTemplate: boolean,
  surplus: readonly string[],
  prefix: string,
): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const name of surplus) {
    if (message[name] !== undefined) faults.push([prefix + name, "Is not allowed in a batch."]);
  }
  if (fromTemplate) {
    // With an invalid template id, it is unknown which of the fields are wrong.
    if (typeof message.template_id !== "string") return faults;
    for (const name of replaced) {
      if (message[name] !== undefined) faults.push([prefix + name, "Must not be used with template_id."]);
    }
  } else if (message.html === undefined && message.text === undefined) {
    const sentence = "At least one of html and text is required.";
    faults.push([`${prefix}html`, sentence], [`${prefix}text`, sentence]);
  }
  return faults;
}

const isEmpty = (addresses: unknown): boolean => Array.isArray(addresses) && addresses.length === 0;

/** What is wrong with each attachment. Their number and the type of the list are checked elsewhere. */
function attachmentFaults(attachments: unknown, prefix: string): FieldFault[] {
  if (!Array.isArray(attachments) || attachments.length > limits.attachments) return [];
  return attachments.flatMap((attachment, index) => faultsOfOne(attachment, `${prefix}attachments.${index}`));
}

function faultsOfOne(attachment: unknown, name: string): FieldFault[] {
  if (!isObject(attachment)) return [[name, "Must be an object."]];
  const hasContent = attachment.content !== undefined;
  if (hasContent && attachment.path !== undefined) {
    return [[`${name}.path`, "Must not be used with content."]];
  }
  const valid = attachment.path === undefined ? schemas.ContentAttachment : schemas.LinkAttachment;
  if (valid(attachment)) return [];
  const faults = faultsOf(valid.errors, `${name}.`);
  if (hasContent || attachment.path !== undefined) return faults;
  const sentence = "One of content and path is required.";
  const others = faults.filter(([field]) => field !== `${name}.content`);
  return [...others, [`${name}.content`, sentence], [`${name}.path`, sentence]];
}

/** What is wrong with the targets of links. `invalid` has the names of fields that do not match the schema. */
function linkFaults(attachments: unknown, prefix: string, invalid: ReadonlySet<string>): FieldFault[] {
  if (!Array.isArray(attachments) || invalid.has(`${prefix}attachments`)) return [];
  const faults: FieldFault[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const name = `${prefix}attachments.${index}.path`;
    if (!isObject(attachment) || typeof attachment.path !== "string" || invalid.has(name)) continue;
    const fault = linkProblem(attachment.path);
    if (fault !== null) faults.push([name, fault]);
  }
  return faults;
}
