/** The forms of ISO 8601: extended, also with a space (RFC 3339), and basic. The lowest part may have a decimal fraction. */
const extended = formOf("-", ":", "[Tt ]");
const basic = formOf("", "", "[Tt]");

function formOf(dash: string, colon: string, separator: string): RegExp {
  const date = `(?<year>\\d{4})${dash}(?<month>\\d\\d)${dash}(?<date>\\d\\d)`;
  const time = `(?<hour>\\d\\d)${colon}(?<minute>\\d\\d)(?:${colon}(?<second>\\d\\d))?(?<fraction>[.,]\\d+)?`;
  const offset = "(?:[Zz]|(?<sign>[+-])(?<offsetHour>\\d\\d)(?::?(?<offsetMinute>\\d\\d))?)";
  return new RegExp(`^${date}${separator}${time}${offset}$`);
}

/** What `readTime` accepts, in a sentence for a field error. */
export const timeSentence =
  "Must be an ISO 8601 time: a calendar date that exists, hours and minutes, and an offset from UTC, such as 2026-12-24T18:00:00+01:00.";

/** A day in milliseconds. */
export const day = 86_400_000;

/** The latest time of the clock: ids keep their length and order until then, and years have four digits. */
export const latest = Date.UTC(3000, 0);

/**
 * Parses an ISO 8601 calendar date and time with hours, minutes and an offset, in milliseconds; undefined if it is invalid or does not exist.
 * Cuts off fractions of a millisecond.
 */
export function readTime(text: string): number | undefined {
  const parts = (extended.exec(text) ?? basic.exec(text))?.groups;
  if (parts === undefined) return undefined;
  const number = (name: string): number => Number((parts[name] ?? "0").replace(",", "."));
  const [year, month, date] = [number("year"), number("month"), number("date")];
  const [hour, minute, second] = [number("hour"), number("minute"), number("second")];
  const [offsetHour, offsetMinute] = [number("offsetHour"), number("offsetMinute")];
  const midnight = new Date(0);
  // Unlike `Date.UTC`, it does not take the year 26 for 1926.
  midnight.setUTCFullYear(year, month - 1, date);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== date) return undefined;
  if (minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const fraction = Math.floor(number("fraction") * (parts.second === undefined ? 60_000 : 1000));
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
  // The end of a day is also the start of the next one.
  if (hour > 23 && time !== day) return undefined;
  const offset = (offsetHour * 60 + offsetMinute) * 60_000;
  const at = midnight.getTime() + time + (parts.sign === "-" ? offset : -offset);
  // A leap second comes before midnight in UTC.
  return second === 60 && (at - fraction) % day !== 0 ? undefined : at;
}

export const writeTime = (at: number): string => new Date(at).toISOString();

export const writeTimeOrNull = (at: number | null): string | null => (at === null ? null : writeTime(at));

/** Months since the year 0, in UTC. */
export function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
