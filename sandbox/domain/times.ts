const form =
  /^(\d{4})-(\d\d)-(\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** A day in milliseconds. */
export const day = 86_400_000;

/** The latest time of the clock: ids keep their length and order until then, and years have four digits. */
export const latest = Date.UTC(3000, 0);

/** Parses an ISO 8601 time with an offset, in milliseconds; undefined if it is invalid. Cuts off fractions of a millisecond. */
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

export function writeTime(at: number): string {
  return new Date(at).toISOString();
}

export function writeTimeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
