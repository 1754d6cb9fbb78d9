import type { RequestContext, Services, Success } from "../api/context.ts";

/** GET /api/v1/newsletter/fields: the custom fields of the account. */
export function listCustomFields({ account }: RequestContext, { directory }: Services): Success {
  const fields = directory
    .fields(account.id)
    .map(({ key, label, type, fallback }) => ({ key, label, type, fallback }));
  return { status: 200, body: JSON.stringify({ fields }) };
}
