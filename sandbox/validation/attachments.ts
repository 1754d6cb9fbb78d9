import { limits } from "../../generated/limits.ts";
import { schemas } from "../../generated/validators/requests.js";
import { linkFault } from "../mail/link.ts";
import { isObject } from "../middleware/body.ts";
import { type FieldFault, faultsOf } from "./field-errors.ts";

/** What is wrong with each attachment. That there are too many of them, or that they are no list, is told of elsewhere. */
export function attachmentFaults(attachments: unknown, prefix: string): FieldFault[] {
  if (!Array.isArray(attachments) || attachments.length > limits.attachments) return [];
  return attachments.flatMap((attachment, index) => faultsOfOne(attachment, `${prefix}attachments.${index}`));
}

function faultsOfOne(attachment: unknown, name: string): FieldFault[] {
  if (!isObject(attachment)) return [[name, "Must be an object."]];
  const hasContent = attachment.content !== undefined;
  if (hasContent && attachment.path !== undefined) {
    return [[`${name}.path`, "Must be left out when content is given."]];
  }
  const valid = attachment.path === undefined ? schemas.ContentAttachment : schemas.LinkAttachment;
  if (valid(attachment)) return [];
  const faults = faultsOf(valid.errors, `${name}.`);
  if (hasContent || attachment.path !== undefined) return faults;
  const sentence = "One of content and path is required.";
  const others = faults.filter(([field]) => field !== `${name}.content`);
  return [...others, [`${name}.content`, sentence], [`${name}.path`, sentence]];
}

/** What is wrong with the links of attachments whose form is right: where they lead. `misshapen` names the fields whose form is not. */
export function linkFaults(
  attachments: unknown,
  prefix: string,
  misshapen: ReadonlySet<string>,
): FieldFault[] {
  if (!Array.isArray(attachments) || misshapen.has(`${prefix}attachments`)) return [];
  const faults: FieldFault[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const name = `${prefix}attachments.${index}.path`;
    if (!isObject(attachment) || typeof attachment.path !== "string" || misshapen.has(name)) continue;
    const fault = linkFault(attachment.path);
    if (fault !== null) faults.push([name, fault]);
  }
  return faults;
}
