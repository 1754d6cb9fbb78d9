import { limits } from "../../generated/limits.ts";
import { schemas } from "../../generated/validators/requests.js";
import { isObject } from "../../lib/objects.ts";
import { linkProblem } from "../mail/link.ts";
import { type FieldFault, faultsOf } from "./field-errors.ts";

/** What is wrong with each attachment. Their number and the type of the list are checked elsewhere. */
export function attachmentFaults(attachments: unknown, prefix: string): FieldFault[] {
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
export function linkFaults(attachments: unknown, prefix: string, invalid: ReadonlySet<string>): FieldFault[] {
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
