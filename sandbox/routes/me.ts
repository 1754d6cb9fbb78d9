import { writeTimeOrNull } from "../domain/times.ts";
import type { Exchange, Success } from "../exchange.ts";

/** GET /api/v1/me: tells a key its account, its abilities, and when it stops working. The service does not show its fields. */
export function getMe({ account, key }: Exchange): Success {
  const body = {
    account: { id: account.id, name: account.name },
    abilities: key.abilities,
    stops_at: writeTimeOrNull(key.stopsAt),
  };
  return { status: 200, body: JSON.stringify(body) };
}
