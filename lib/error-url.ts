/**
 * The URL of an error on a reference site, which has an anchor for each row of the error table; undefined for an error without a row.
 *
 * @param rows the error table, by `<status>.<type>`, or the status alone
 */
export function errorUrl(
  site: string,
  rows: Readonly<Record<string, unknown>>,
  { status, type }: { status: number; type: string | null | undefined },
): string | undefined {
  const id = [`${status}.${type}`, String(status)].find((one) => Object.hasOwn(rows, one));
  return id && `${site.replace(/\/+$/, "")}/errors/#${id.replaceAll(".", "-")}`;
}
