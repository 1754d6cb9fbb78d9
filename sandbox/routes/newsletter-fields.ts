import type { Exchange, Parts, Success } from "../exchange.ts";

/** GET /api/v1/newsletter/fields: the custom fields of the account. */
export function listCustomFields({ account }: Exchange, { directory }: Parts): Success {
  const fields = directory
    .fields(account.id)
    .map(({ key, label, type, fallback }) => ({ key, label, type, fallback }));
  return { status: 200, body: JSON.stringify({ fields }) };
}
