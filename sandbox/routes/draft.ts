import { limits } from "../../generated/limits.ts";
import type { components } from "../../generated/types.ts";
import { schemas, type ValidationError } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import type { RequestContext, Services } from "../api/context.ts";
import { type FieldError, fieldErrorsOf, isForHandler, withoutSurplus } from "../api/field-errors.ts";
import type { KeptProperties, MessageContent, Template } from "../domain/records.ts";
import { type Draft, fillTemplate, readSendTime } from "../domain/sending.ts";
import { linkProblem } from "../mail/link.ts";

type Schemas = components["schemas"];

/** The kinds of messages: in a request of their own, or in a batch. */
interface Variants {
  content: typeof schemas.ContentSend | typeof schemas.BatchContentMessage;
  template: typeof schemas.TemplateSend | typeof schemas.BatchTemplateMessage;
  /** Fields that are not allowed. */
  surplus: readonly string[];
}

/** The properties that the document excludes from an object. */
type Excluded<Properties> = {
  [Name in keyof Properties]-?: Required<Properties>[Name] extends never ? Name : never;
}[keyof Properties];

/** Names that follow from the document: one too many or too few does not compile. */
const namesOf = <Name extends string>(names: Record<Name, true>): string[] => Object.keys(names);

export const single: Variants = { content: schemas.ContentSend, template: schemas.TemplateSend, surplus: [] };
export const batched: Variants = {
  content: schemas.BatchContentMessage,
  template: schemas.BatchTemplateMessage,
  surplus: namesOf<Exclude<Excluded<Schemas["BatchContentMessage"]>, "template_id">>({
    attachments: true,
    scheduled_at: true,
  }),
};

/** The fields that a template replaces. */
const replaced = namesOf<Excluded<Schemas["TemplateSend"]>>({ subject: true, html: true, text: true });

/** What a message keeps of a request without these properties. A further one in the document does not compile without its value here. */
const omitted: Pick<MessageContent, keyof KeptProperties> & Required<KeptProperties> = {
  reply_to: null,
  headers: {},
  attachments: [],
};

/**
 * Creates the message of a request, or returns what is wrong with its fields. Valid fields are checked further even when others do not match
 * the schema, so that one response names every invalid field.
 * @param prefix the path of the message in a batch, such as `emails.2.`
 */
export function draftOf(
  message: unknown,
  variants: Variants,
  context: RequestContext,
  services: Services,
  prefix = "",
): Draft | readonly FieldError[] {
  if (!isObject(message)) return [[prefix.slice(0, -1), "Must be an object."]];
  const invalid = messageErrors(withoutSurplus(message, context.bytes), variants, prefix);
  const names = new Set(invalid.map(([name]) => name));
  const text = (name: string): string | undefined => {
    const value = message[name];
    return typeof value === "string" && !names.has(prefix + name) ? value : undefined;
  };
  const fieldErrors = [...invalid, ...linkErrors(message.attachments, prefix, names)];
  const scheduledAt = timeOf(text("scheduled_at"), context, prefix, fieldErrors);
  const template = templateOf(text("template_id"), context, services, prefix, fieldErrors);
  if (fieldErrors.length > 0) return fieldErrors;
  const send = message as unknown as Schemas["SendRequest"];
  return {
    from: send.from,
    recipients: { to: send.to, cc: send.cc ?? [], bcc: send.bcc ?? [] },
    tags: send.tags ?? {},
    content: contentOf(send, template),
    scheduledAt,
  };
}

function contentOf(send: Schemas["SendRequest"], template: Template | undefined): MessageContent {
  const kept: Record<string, unknown> = { ...omitted };
  for (const name of Object.keys(omitted) as (keyof typeof omitted)[])
    if (send[name] !== undefined) kept[name] = send[name];
  const { subject = "", html = null, text = null } = send;
  const variables = ("variables" in send ? send.variables : undefined) ?? {};
  const texts = template === undefined ? { subject, html, text } : fillTemplate(template, variables);
  return { ...texts, ...(kept as typeof omitted) };
}

function timeOf(
  text: string | undefined,
  { now }: RequestContext,
  prefix: string,
  fieldErrors: FieldError[],
): number | null {
  if (text === undefined) return null;
  const time = readSendTime(text, now);
  if ("at" in time) return time.at;
  fieldErrors.push([`${prefix}scheduled_at`, time.error]);
  return null;
}

function templateOf(
  id: string | undefined,
  { account }: RequestContext,
  { directory }: Services,
  prefix: string,
  fieldErrors: FieldError[],
): Template | undefined {
  if (id === undefined) return undefined;
  const template = directory.template(account.id, id);
  if (template?.published) return template;
  fieldErrors.push([`${prefix}template_id`, "This account has no published template with this id."]);
  return undefined;
}

/** Chooses the variant by `template_id`, so that only the rules of that variant are reported. */
function messageErrors(
  message: Record<string, unknown>,
  variants: Variants,
  prefix: string,
): readonly FieldError[] {
  const fromTemplate = message.template_id !== undefined;
  const valid = fromTemplate ? variants.template : variants.content;
  const empty: FieldError[] = isEmpty(message.to)
    ? [[`${prefix}to`, "Must have at least one recipient."]]
    : [];
  if (valid(message) || valid.errors?.every(isForHandler)) return empty;
  const fieldErrors = [...empty, ...fieldErrorsOf((valid.errors ?? []).filter(isPlain), prefix)];
  fieldErrors.push(...attachmentErrors(message.attachments, prefix));
  fieldErrors.push(...crossFieldErrors(message, fromTemplate, variants.surplus, prefix));
  return fieldErrors.length > 0 ? fieldErrors : [[`${prefix}body`, "Is not valid."]];
}

/** Rules across fields, and those of attachments, have sentences of their own. */
function isPlain(error: ValidationError): boolean {
  if (error.instancePath.startsWith("/attachments/")) return false;
  return !(error.instancePath === "" && error.params.missingProperty === "text");
}

function crossFieldErrors(
  message: Record<string, unknown>,
  fromTemplate: boolean,
  surplus: readonly string[],
  prefix: string,
): FieldError[] {
  const present = (names: readonly string[], sentence: string): FieldError[] =>
    names.filter((name) => message[name] !== undefined).map((name) => [prefix + name, sentence]);
  const fieldErrors = present(surplus, "Is not allowed in a batch.");
  if (fromTemplate) {
    // With an invalid template id, it is unknown which of the fields are wrong.
    if (typeof message.template_id !== "string") return fieldErrors;
    return [...fieldErrors, ...present(replaced, "Must not be used with template_id.")];
  }
  if (message.html !== undefined || message.text !== undefined) return fieldErrors;
  const sentence = "At least one of html and text is required.";
  return [...fieldErrors, [`${prefix}html`, sentence], [`${prefix}text`, sentence]];
}

const isEmpty = (addresses: unknown): boolean => Array.isArray(addresses) && addresses.length === 0;

/** What is wrong with each attachment. Their number and the type of the list are checked elsewhere. */
function attachmentErrors(attachments: unknown, prefix: string): FieldError[] {
  if (!Array.isArray(attachments) || attachments.length > limits.attachments) return [];
  return attachments.flatMap((attachment, index) =>
    attachmentErrorsOf(attachment, `${prefix}attachments.${index}`),
  );
}

function attachmentErrorsOf(attachment: unknown, name: string): FieldError[] {
  if (!isObject(attachment)) return [[name, "Must be an object."]];
  const hasContent = attachment.content !== undefined;
  if (hasContent && attachment.path !== undefined)
    return [[`${name}.path`, "Must not be used with content."]];
  const valid = attachment.path === undefined ? schemas.ContentAttachment : schemas.LinkAttachment;
  if (valid(attachment)) return [];
  const fieldErrors = fieldErrorsOf(valid.errors, `${name}.`);
  if (hasContent || attachment.path !== undefined) return fieldErrors;
  const sentence = "One of content and path is required.";
  const others = fieldErrors.filter(([field]) => field !== `${name}.content`);
  return [...others, [`${name}.content`, sentence], [`${name}.path`, sentence]];
}

/** What is wrong with the targets of links. `invalid` has the names of fields that do not match the schema. */
function linkErrors(attachments: unknown, prefix: string, invalid: ReadonlySet<string>): FieldError[] {
  if (!Array.isArray(attachments) || invalid.has(`${prefix}attachments`)) return [];
  const fieldErrors: FieldError[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const name = `${prefix}attachments.${index}.path`;
    if (!isObject(attachment) || typeof attachment.path !== "string" || invalid.has(name)) continue;
    const error = linkProblem(attachment.path);
    if (error !== null) fieldErrors.push([name, error]);
  }
  return fieldErrors;
}
