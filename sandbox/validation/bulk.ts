import { limits } from "../../generated/limits.ts";
import type { FieldFault } from "./field-errors.ts";

/** Smaller bodies cannot have so many entries that reporting each would take too long, in bytes. */
const harmless = 65_536;

/** The most entries of a field that are validated one by one, whatever its own limit. */
const most = 1000;

/** The limits of the fields, by name. A map, because the names come from requests. */
const entries = new Map<string, number>([
  ["to", limits.recipientsPerField],
  ["cc", limits.recipientsPerField],
  ["bcc", limits.recipientsPerField],
  ["headers", limits.extraHeaders],
  ["attachments", limits.attachments],
  ["emails", limits.batchMessages],
  ["fields", limits.contactFields],
  ["tags", limits.messageTags],
  ["variables", most],
]);

/**
 * Finds fields with so many entries that a validator, which reports every error of every entry, would run out of memory.
 *
 * @param bytes the size of the body
 */
export function overfull(body: object, bytes: number): FieldFault[] {
  if (bytes < harmless) return [];
  const faults: FieldFault[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== "object" || value === null || !hasMoreThan(value, most)) continue;
    const limit = entries.get(name);
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
