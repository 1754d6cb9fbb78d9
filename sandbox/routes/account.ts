import type { Handler } from "../api/context.ts";
import { writeTimeOrNull } from "../domain/times.ts";

/** GET /api/v1/me: the account and the abilities of the key, and when it stops working. The fields are unspecified. */
export const getMe: Handler<"getMe"> = ({ account, key }) => {
  const body = {
    account: { id: account.id, name: account.name },
    abilities: key.abilities,
    stops_at: writeTimeOrNull(key.stopsAt),
  };
  return { status: 200, body: JSON.stringify(body) };
};

/** GET /api/v1/newsletter/lists: the lists of the account. */
export const listNewsletterLists: Handler<"listNewsletterLists"> = ({ account }, { directory }) => {
  const lists = directory
    .lists(account.id)
    .map(({ id, name, doubleOptIn }) => ({ id, name, double_opt_in: doubleOptIn }));
  return { status: 200, body: JSON.stringify({ lists }) };
};

/** GET /api/v1/newsletter/fields: the custom fields of the account. */
export const listCustomFields: Handler<"listCustomFields"> = ({ account }, { directory }) => {
  const fields = directory
    .fields(account.id)
    .map(({ key, label, type, fallback }) => ({ key, label, type, fallback }));
  return { status: 200, body: JSON.stringify({ fields }) };
};
