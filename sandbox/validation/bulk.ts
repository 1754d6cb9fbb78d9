import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";

/** Smaller bodies cannot have so many entries that reporting each would take too long, in bytes. */
const harmless = 65_536;

/** One entry more than any of the fields below may have. */
const most =
  1 + Math.max(limits.recipientsPerField, limits.messageTags, limits.attachments, limits.contactFields);

/** The fields whose entries are validated one by one. */
const fields = ["to", "cc", "bcc", "tags", "headers", "attachments", "fields"];

/**
 * The body with no more entries of a field than show that they are too many: a validator reports every error of every entry, and would run
 * out of memory.
 *
 * @param bytes the size of the body
 */
export function withoutSurplus(body: Record<string, unknown>, bytes: number): Record<string, unknown> {
  if (bytes < harmless) return body;
  const cut = fields.flatMap((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    const first = Array.isArray(value) || isObject(value) ? firstOf(value) : value;
    return first === value ? [] : [[name, first] as const];
  });
  return cut.length === 0 ? body : { ...body, ...Object.fromEntries(cut) };
}

/** The first entries of a list or an object; itself if it has no more. */
function firstOf(value: unknown[] | Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.length > most ? value.slice(0, most) : value;
  const names: string[] = [];
  for (const name in value) {
    if (names.push(name) >= most) return Object.fromEntries(names.map((one) => [one, value[one]]));
  }
  return value;
}
