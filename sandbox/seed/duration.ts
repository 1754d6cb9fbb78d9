const units = [
  ["weeks", 7 * 86_400_000],
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1000],
] as const;

/** A hundred years: longer than anything here lasts, and well inside what a Date can hold. */
export const longest = 100 * 366 * 86_400_000;

const pattern =
  /^P(?=.)(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=.)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/**
 * Reads how long something lasts, in the way of ISO 8601: `P3D`, `PT1H30M`, `P2W`. Months and years have no fixed length
 * and are not taken.
 *
 * @returns milliseconds; undefined where the text is no such duration
 */
export function durationMilliseconds(text: string): number | undefined {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return units.reduce((sum, [name, length]) => sum + Number(groups[name] ?? 0) * length, 0);
}
