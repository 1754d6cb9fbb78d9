import { schemas, type ValidationError } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import { attachmentFaults } from "./attachments.ts";
import { type FieldFault, faultsOf, isForHandler } from "./field-errors.ts";

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
