/** What starts a database of its own. */
export const embedded = "postgres:embedded";

/** Whether `--data` names a PostgreSQL database rather than a folder. */
export const isPostgres = (data: string): boolean => /^postgres(ql)?:/i.test(data);

/** What `--data` names, for people: the URL of a database without a password, which may also be among the options in its query. */
export function shownData(data: string): string {
  if (!isPostgres(data)) return data;
  const url = URL.parse(data);
  // Without two slashes a password would not be told from the rest.
  if (url === null || url.host === "") return data === embedded ? data : "a PostgreSQL database";
  url.password = "";
  url.search = "";
  return url.href;
}
