const form =
  /^(\d{4})-(\d\d)-(\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** A day in milliseconds. */
export const day = 86_400_000;

/** How far the clock goes, from 1970 on: ids keep their length and order until then, and years have four digits with room to spare. */
export const latest = Date.UTC(3000, 0);

/** Reads a time in ISO 8601 with its offset from UTC, in milliseconds; undefined for anything else. Finer parts of a second are cut off. */
export function readTime(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, year, month, date, hour, minute, second, fraction = "", sign, offsetHour = 0, offsetMinute = 0] =
    found;
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(date),
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, "0")),
  );
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  return sign === "-" ? local + offset : local - offset;
}

/** Writes a time in UTC. */
export function writeTime(at: number): string {
  return new Date(at).toISOString();
}

/** Writes a time in UTC, or null. */
export function writeTimeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
