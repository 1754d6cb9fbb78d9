/**
 * The rows to look up, in a FROM clause: the epoch, which is the parameter `$1`, and a list per column from `$2` on. Statements are planned
 * once, often while the tables are still empty, when reading the whole epoch seems as cheap as an index. `OFFSET 0` keeps the epoch with the
 * other columns, so that only the index finds the rows.
 */
export function wantedRows(columns: Readonly<Record<string, "text" | "bigint">>): string {
  const lists = Object.values(columns).map((type, index) => `$${index + 2}::${type}[]`);
  const names = Object.keys(columns).join(", ");
  return `(SELECT $1::integer AS epoch, * FROM unnest(${lists.join(", ")}) AS list (${names}) OFFSET 0) AS wanted`;
}
