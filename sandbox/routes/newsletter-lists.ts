import type { Exchange, Parts, Success } from "../exchange.ts";

/** GET /api/v1/newsletter/lists: the lists of the account. */
export function listNewsletterLists({ account }: Exchange, { directory }: Parts): Success {
  const lists = directory
    .lists(account.id)
    .map(({ id, name, doubleOptIn }) => ({ id, name, double_opt_in: doubleOptIn }));
  return { status: 200, body: JSON.stringify({ lists }) };
}
