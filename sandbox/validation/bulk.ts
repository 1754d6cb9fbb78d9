import { limits } from "../../generated/limits.ts";
import type { FieldFault } from "./field-errors.ts";

/** Bodies under this many bytes cannot hold so many entries that listing what is wrong with each would hurt. */
const harmless = 65_536;

/** How many entries any field may have at most, whatever its own limit, before they are looked at one by one. */
const most = 1000;

/** What each field that a client may overfill holds at most. */
const entries: Readonly<Record<string, number>> = {
  to: limits.recipientsPerField,
  cc: limits.recipientsPerField,
  bcc: limits.recipientsPerField,
  headers: limits.extraHeaders,
  attachments: limits.attachments,
  emails: limits.batchMessages,
  fields: limits.contactFields,
  variables: most,
};

/**
 * Finds fields with so many entries that a validator, which tells every fault of every entry, would run out of memory.
 *
 * @param bytes the size of the body
 */
export function overfull(body: object, bytes: number): FieldFault[] {
  if (bytes < harmless) return [];
  const faults: FieldFault[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== "object" || value === null || !hasMoreThan(value, most)) continue;
    const limit = entries[name] ?? (name === "tags" ? limits.messageTags : undefined);
    if (limit !== undefined) faults.push([name, `Must not have more than ${limit} entries.`]);
  }
  return faults;
}

function hasMoreThan(value: object, limit: number): boolean {
  if (Array.isArray(value)) return value.length > limit;
  let count = 0;
  for (const _name in value) {
    count += 1;
    if (count > limit) return true;
  }
  return false;
}
