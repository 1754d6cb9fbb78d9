import type { Contact } from "../../domain/records.ts";
import type { Database, Statement } from "./database.ts";

const find: Statement = {
  name: "find_contact",
  text: "SELECT data FROM contact WHERE epoch = $1 AND account = $2 AND email = $3",
};
const page: Statement = {
  name: "page_contacts",
  text: "SELECT data FROM contact WHERE epoch = $1 AND account = $2 AND email > $3 ORDER BY email LIMIT $4",
};

interface Row {
  data: string;
}

export async function findContact(
  database: Database,
  epoch: number,
  [accountId, email]: [string, string],
): Promise<Contact | undefined> {
  const [row] = await database.query<Row>(find, [epoch, accountId, email]);
  return row && JSON.parse(row.data);
}

/** Sorted by email address. */
export async function pageContacts(
  database: Database,
  epoch: number,
  { accountId, limit, after = "" }: { accountId: string; limit: number; after?: string },
): Promise<Contact[]> {
  const rows = await database.query<Row>(page, [epoch, accountId, after, limit]);
  return rows.map(({ data }) => JSON.parse(data));
}
