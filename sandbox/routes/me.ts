import type { RequestContext, Success } from "../api/context.ts";
import { writeTimeOrNull } from "../domain/times.ts";

/** GET /api/v1/me: tells a key its account, its abilities, and when it stops working. The service does not show its fields. */
export function getMe({ account, key }: RequestContext): Success {
  const body = {
    account: { id: account.id, name: account.name },
    abilities: key.abilities,
    stops_at: writeTimeOrNull(key.stopsAt),
  };
  return { status: 200, body: JSON.stringify(body) };
}
