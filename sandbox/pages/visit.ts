import type { GatewayServices } from "../control/parts.ts";

/** What a page is made from. */
export interface Visit {
  parts: GatewayServices;
  query: URLSearchParams;
  /** What stands in the open places of the path, decoded. */
  path: string[];
}

/** The account that the reader chose; undefined for none. An id of no account is the same as none. */
export function chosenAccount({ parts, query }: Visit): string | undefined {
  const id = query.get("account") ?? "";
  return parts
    .directory()
    .accounts()
    .some((account) => account.id === id)
    ? id
    : undefined;
}
