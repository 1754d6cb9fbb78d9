import type { Session, Statement } from "./database.ts";
import { addCounts, type Count, countRows, sumCounts } from "./effects.ts";
import type { Settled } from "./group.ts";
import { insertRows, newRows } from "./message-rows.ts";
import { decideAll, type Rows, type Write, type WriteOutcome } from "./write-decide.ts";
import { readKnown } from "./write-read.ts";

/**
 * Writes a whole group. Nothing is locked before it: if another transaction has stored one of the idempotency keys or changed one of the
 * contacts since they were read, the statement fails and the group is repeated. The counts come last, because their rows are locked until the
 * commit, and many groups want the same.
 */
const writeGroup: Statement = {
  name: "write_group",
  text: `WITH records AS (
    INSERT INTO idempotency_record AS known (epoch, scope, key, fingerprint, status, body, created_at, expires_at)
    SELECT $1, scope, key, fingerprint, status, body, created_at, expires_at
    FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::bigint[], $8::bigint[])
      AS new (scope, key, fingerprint, status, body, created_at, expires_at)
    ON CONFLICT (epoch, scope, key) DO UPDATE
    SET (fingerprint, status, body, created_at, expires_at)
      = (excluded.fingerprint, excluded.status, excluded.body, excluded.created_at, excluded.expires_at)
    WHERE known.expires_at <= excluded.created_at
    RETURNING 1
  ), contacts AS (
    INSERT INTO contact AS known (epoch, account, email, version, data)
    SELECT $1, account, email, version, data
    FROM unnest($9::text[], $10::text[], $11::integer[], $12::text[]) AS new (account, email, version, data)
    ON CONFLICT (epoch, account, email) DO UPDATE SET (version, data) = (excluded.version, excluded.data)
    WHERE known.version = excluded.version - 1
    RETURNING 1
  ), messages AS (
    ${insertRows(13, true)} RETURNING 1
  ), counts AS (
    ${addCounts(23)} RETURNING account, month, used
  ), checked AS MATERIALIZED (
    SELECT unchanged((SELECT count(*) FROM records), cardinality($2::text[])) AS record,
      unchanged((SELECT count(*) FROM contacts), cardinality($9::text[])) AS contact,
      (SELECT count(*) FROM messages) AS messages
  )
  SELECT account, month, used, record, contact, messages FROM checked LEFT JOIN counts ON true`,
};

type UsedRow = { account: string; month: number; used: number };

/** Reads, decides and writes a group. */
export async function runWrites(
  session: Session,
  epoch: number,
  writes: readonly Write[],
): Promise<{ rows: Rows; results: Settled<WriteOutcome>[] }> {
  const known = await readKnown(session, epoch, writes);
  const { rows, outcomes } = decideAll(writes, known);
  const written = isEmpty(rows) ? [] : await session.query<UsedRow>(writeGroup, [epoch, ...valuesOf(rows)]);
  const used = usedByCount(rows.counts, written);
  return { rows, results: outcomes.map((outcome) => outcome((count) => used.get(count) ?? 0)) };
}

const isEmpty = ({ records, contacts, messages, counts }: Rows): boolean =>
  records.length + contacts.size + messages.length + counts.length === 0;

function valuesOf({ records: all, contacts, messages, counts }: Rows) {
  // In the same order in all transactions, as are the counts.
  const records = all.toSorted(
    (one, other) => compare(one.scope, other.scope) || compare(one.key, other.key),
  );
  const changed = [...contacts].sort(([one], [other]) => compare(one, other)).map(([, value]) => value);
  return [
    records.map(({ scope }) => scope),
    records.map(({ key }) => key),
    records.map(({ fingerprint }) => fingerprint),
    records.map(({ response }) => response.status),
    records.map(({ response }) => response.body),
    records.map(({ createdAt }) => createdAt),
    records.map(({ expiresAt }) => expiresAt),
    changed.map(({ contact }) => contact.accountId),
    changed.map(({ contact }) => contact.email),
    changed.map(({ version }) => version),
    changed.map(({ contact }) => JSON.stringify(contact)),
    ...newRows(messages),
    ...countRows(sumCounts(counts)),
  ];
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** How many recipients are counted after each call: the counts after the group, less what the calls after it have added. */
function usedByCount(counts: readonly Count[], written: readonly UsedRow[]): Map<Count, number> {
  const totals = new Map(written.map(({ account, month, used }) => [`${account} ${month}`, used]));
  const result = new Map<Count, number>();
  for (const count of counts.toReversed()) {
    const name = `${count.account} ${count.month}`;
    const used = totals.get(name) ?? 0;
    result.set(count, used);
    totals.set(name, used - count.recipients);
  }
  return result;
}
