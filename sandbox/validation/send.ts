import { schemas, type ValidationError } from "../../generated/validators/requests.js";
import { isObject } from "../middleware/body.ts";
import { attachmentFaults } from "./attachments.ts";
import { type FieldFault, faultsOf } from "./field-errors.ts";

/** The text fields that a template stands in for. */
const replaced = ["subject", "html", "text"];

/** The fields that a message of a batch must not have. */
const singleOnly = ["attachments", "scheduled_at"];

interface Variants {
  content: typeof schemas.ContentSend | typeof schemas.BatchContentMessage;
  template: typeof schemas.TemplateSend | typeof schemas.BatchTemplateMessage;
  /** Fields that are refused wherever they stand. */
  surplus: readonly string[];
}

const single: Variants = { content: schemas.ContentSend, template: schemas.TemplateSend, surplus: [] };
const batched: Variants = {
  content: schemas.BatchContentMessage,
  template: schemas.BatchTemplateMessage,
  surplus: singleOnly,
};

/** What is wrong with a message that is sent by itself; nothing when it holds. */
export function sendFaults(message: Record<string, unknown>): readonly FieldFault[] {
  return messageFaults(message, single, "");
}

/** What is wrong with a message of a batch; `prefix` is its place, such as `emails.2.`. */
export function batchMessageFaults(message: unknown, prefix: string): readonly FieldFault[] {
  return isObject(message)
    ? messageFaults(message, batched, prefix)
    : [[prefix.slice(0, -1), "Must be an object."]];
}

const none: readonly FieldFault[] = [];

/** Which kind of message it is meant to be is decided first, so that only rules of that kind are told of. */
function messageFaults(
  message: Record<string, unknown>,
  variants: Variants,
  prefix: string,
): readonly FieldFault[] {
  const fromTemplate = message.template_id !== undefined;
  const valid = fromTemplate ? variants.template : variants.content;
  const nobody: readonly FieldFault[] = isEmpty(message.to)
    ? [[`${prefix}to`, "Name at least one recipient."]]
    : none;
  if (valid(message)) return nobody;
  const faults = [...nobody, ...faultsOf((valid.errors ?? []).filter(isPlain), prefix)];
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
    for (const name of replaced) {
      if (message[name] !== undefined)
        faults.push([prefix + name, "Must be left out when template_id is used."]);
    }
  } else if (message.html === undefined && message.text === undefined) {
    const sentence = "At least one of html and text is required.";
    faults.push([`${prefix}html`, sentence], [`${prefix}text`, sentence]);
  }
  return faults;
}

const isEmpty = (addresses: unknown): boolean => Array.isArray(addresses) && addresses.length === 0;
