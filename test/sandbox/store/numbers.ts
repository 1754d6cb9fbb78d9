import { sequenceIn } from "../../../sandbox/store/ids.ts";

/** The number in an id as tests write it: that of an id which was made or is in the demo seed, the digits at the end of one like `msg_3_12`, and for any other word its place in the alphabet. */
export function numberIn(id: string): number {
  if (/_[0-9a-v]{20}$|[A-Z]/.test(id)) return sequenceIn(id);
  const digits = /\d$/.test(id) ? id.match(/\d+/g) : null;
  if (digits !== null) return digits.reduce((number, group) => number * 1_000 + Number(group), 1);
  const letters = id.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return 1e12 + Number.parseInt(letters.slice(0, 9).padEnd(9, "0"), 36);
}
