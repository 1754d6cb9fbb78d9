import { UserError } from "../../lib/user-error.ts";

/** Rows by their id. Throws a Failure for an id that stands twice, since one of the two would be lost. */
export function keyed<Row extends { id: string }>(rows: readonly Row[], table: string): Map<string, Row> {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    if (byId.has(row.id))
      throw new UserError(`${table}: the id ${row.id} stands twice`, { hint: "Rename one of them." });
    byId.set(row.id, row);
  }
  return byId;
}
