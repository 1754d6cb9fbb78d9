import type { LoggedRequest } from "../domain/records.ts";

/** A row of the table of logged requests. Both databases have the same columns. */
export interface RequestRow {
  id: string;
  account: string;
  method: string;
  path: string;
  status: number;
  error_type: string | null;
  fields: string;
  at: number;
}

export const fieldsOf = ({ fields }: LoggedRequest): string =>
  fields.length === 0 ? "[]" : JSON.stringify(fields);

export const requestFrom = (row: RequestRow): LoggedRequest => ({
  requestId: row.id,
  accountId: row.account,
  method: row.method,
  path: row.path,
  status: row.status,
  errorType: row.error_type,
  fields: JSON.parse(row.fields),
  at: row.at,
});
