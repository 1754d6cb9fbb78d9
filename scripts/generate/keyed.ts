import { UserError } from "../../lib/user-error.ts";

/**
 * Rows by id.
 *
 * @throws UserError for a duplicate id, since one of the rows would be lost
 */
export function keyed<Row extends { id: string }>(rows: readonly Row[], table: string): Map<string, Row> {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    if (byId.has(row.id))
      throw new UserError(`${table}: duplicate id ${row.id}`, { hint: "Rename one of the rows." });
    byId.set(row.id, row);
  }
  return byId;
}
