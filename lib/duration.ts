const units = [
  ["weeks", 7 * 86_400_000],
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1000],
] as const;

const pattern =
  /^P(?=.)(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=.)(?:(?<hours>\d+)H)?(?:(?<minutes>\d+)M)?(?:(?<seconds>\d+(?:\.\d+)?)S)?)?$/;

/**
 * Parses an ISO 8601 duration such as `P3D`, `PT1H30M` or `P2W`. Months and years are not supported: they have no fixed length.
 *
 * @returns milliseconds; undefined for any other text
 */
export function parseDuration(text: string): number | undefined {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return undefined;
  return Math.round(units.reduce((sum, [name, length]) => sum + Number(groups[name] ?? 0) * length, 0));
}
