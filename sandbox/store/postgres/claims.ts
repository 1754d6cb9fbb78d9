import type { Renewal } from "../../domain/due-messages.ts";
import type { Database, Statement } from "./database.ts";
import { instanceLock } from "./instances.ts";

// Claims are leases on messages in an attempt to relay them; whatever else is due later has its reasons.
const release: Statement = {
  name: "release_claims",
  text: `WITH released AS (
      UPDATE message SET due_at = $2 WHERE epoch = $1 AND held_until <= $3 AND due_at > $2 RETURNING 1
    ) SELECT (SELECT count(*) FROM released)::integer AS released,
      (SELECT count(*) FROM message WHERE epoch = $1 AND held_until > $3)::integer AS held`,
};

/** The lock of an instance is free only if it is not connected. It is free again at the end of the statement. */
const shorten: Statement = {
  name: "shorten_claims",
  text: `UPDATE message SET held_until = $2 WHERE epoch = $1 AND held_until > $2 AND holder = ANY (ARRAY(
    SELECT holder FROM (SELECT DISTINCT holder FROM message WHERE epoch = $1 AND held_until > $2 OFFSET 0) AS found
    WHERE pg_try_advisory_xact_lock(${instanceLock("holder")})
  ))`,
};

const renew: Statement = {
  name: "renew_claims",
  text: `UPDATE message SET held_until = CASE WHEN id = ANY ($3::text[]) THEN $4::bigint ELSE 0 END
    WHERE epoch = $1 AND holder = $2 AND held_until > 0 AND (id = ANY ($3::text[]) OR held_until < $5)`,
};

export interface Released {
  released: number;
  held: number;
}

/** Makes messages due whose claims have ended. */
export async function releaseClaims(
  database: Database,
  epoch: number,
  { dueAt, now }: { dueAt: number; now: number },
): Promise<Released> {
  const [row] = await database.query<Released>(release, [epoch, dueAt, now]);
  return row ?? { released: 0, held: 0 };
}

/** In one round trip, however many claims there are. */
export async function keepClaims(
  database: Database,
  { epoch, instance }: { epoch: number; instance: string },
  { ids, until, lostBefore, goneUntil }: Renewal,
): Promise<void> {
  await database.session(async (session) => {
    await Promise.all([
      session.query(shorten, [epoch, goneUntil]),
      session.query(renew, [epoch, instance, ids, until, lostBefore]),
    ]);
  });
}
