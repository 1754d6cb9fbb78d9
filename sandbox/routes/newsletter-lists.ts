import type { RequestContext, Services, Success } from "../api/context.ts";

/** GET /api/v1/newsletter/lists: the lists of the account. */
export function listNewsletterLists({ account }: RequestContext, { directory }: Services): Success {
  const lists = directory
    .lists(account.id)
    .map(({ id, name, doubleOptIn }) => ({ id, name, double_opt_in: doubleOptIn }));
  return { status: 200, body: JSON.stringify({ lists }) };
}
