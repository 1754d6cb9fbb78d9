import { type Html, html, type Insert } from "../../lib/html.ts";
import type { Account } from "../domain/records.ts";
import { type KeyedRow, keyedRows, live, type PageContext } from "./components.ts";

/** A list that is shown in pages. */
export interface PagedList<Item> {
  path: string;
  account: Account | undefined;
  /** Further query parameters, which the link to the next page keeps. */
  parameters?: Record<string, string>;
  perPage: number;
  /** The query parameter with the id of the last item of the previous page. */
  cursor: "before" | "after";
  find(query: { limit: number; accountId?: string; before?: string; after?: string }): Promise<Item[]>;
  idOf(item: Item): string;
  row(item: Item): Html;
  /** Adds rows that are not in the list to those of a page. `isLast`: no page follows. */
  mix?(items: Item[], isLast: boolean): KeyedRow[];
  /** Shown for an empty list. */
  empty: Insert;
  /** The label of the link to the next page. */
  more: string;
}

/** One page of a list, with a link to the next one, kept up to date. */
export async function pagedRows<Item>({ query }: PageContext, list: PagedList<Item>): Promise<Html> {
  const { path, account, parameters = {}, perPage, cursor, idOf } = list;
  const start = query.get(cursor);
  const found = await list.find({
    limit: perPage + 1,
    ...(account !== undefined && { accountId: account.id }),
    ...(start !== null && { [cursor]: start }),
  });
  const shown = found.slice(0, perPage);
  const isLast = found.length <= perPage;
  const rows =
    list.mix === undefined || start !== null
      ? shown.map((item) => ({ key: idOf(item), row: list.row(item) }))
      : list.mix(shown, isLast);
  const last = shown.at(-1);
  const next = new URLSearchParams({ ...(account !== undefined && { account: account.id }), ...parameters });
  if (last !== undefined) next.set(cursor, idOf(last));
  return live(
    "list",
    html`${keyedRows(rows, list.empty)}
${!isLast && html`<p><a href="${path}?${next.toString()}">${list.more}</a></p>`}`,
  );
}
