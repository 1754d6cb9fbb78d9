import type { RequestContext, Success } from "../api/context.ts";
import { writeTimeOrNull } from "../domain/times.ts";

/** GET /api/v1/me: the account and the abilities of the key, and when it stops working. The fields are unspecified. */
export function getMe({ account, key }: RequestContext): Success {
  const body = {
    account: { id: account.id, name: account.name },
    abilities: key.abilities,
    stops_at: writeTimeOrNull(key.stopsAt),
  };
  return { status: 200, body: JSON.stringify(body) };
}
