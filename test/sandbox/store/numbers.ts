import { sequenceIn } from "../../../sandbox/ids.ts";

const others = new Map<string, number>();

/** The number in an id as tests write it: that of an id which was made, the digits at the end of one like `msg_3_12`, and for any other word one in the order of use. */
export function numberIn(id: string): number {
  if (/_[0-9a-v]{20}$/.test(id)) return sequenceIn(id);
  const digits = /\d$/.test(id) ? id.match(/\d+/g) : null;
  if (digits !== null) return digits.reduce((number, group) => number * 1_000 + Number(group), 1);
  const known = others.get(id) ?? 1e9 + others.size;
  others.set(id, known);
  return known;
}
