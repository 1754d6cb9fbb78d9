import type { DueStep } from "../../domain/store.ts";
import { monthOf } from "../../domain/times.ts";

/** Recipients to count for an account in a month. */
export interface Count {
  account: string;
  month: number;
  recipients: number;
}

/** The sum per account and month, sorted: transactions that lock rows in the same order never wait for each other in a circle. */
export function sumCounts(counts: Iterable<Count>): Count[] {
  const sums = new Map<string, Count>();
  for (const { account, month, recipients } of counts) {
    const name = `${account} ${month}`;
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, { account, month, recipients });
    else sum.recipients += recipients;
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

export const countRows = (counts: readonly Count[]) => [
  counts.map(({ account }) => account),
  counts.map(({ month }) => month),
  counts.map(({ recipients }) => recipients),
];

/** Adds to the counts; the values of `countRows` begin at the parameter `$first`. */
export const addCounts = (first: number): string =>
  `INSERT INTO quota AS known (epoch, account, month, used)
    SELECT $1, account, month, recipients
    FROM unnest($${first}::text[], $${first + 1}::integer[], $${first + 2}::integer[]) AS new (account, month, recipients)
    ON CONFLICT (epoch, account, month) DO UPDATE SET used = known.used + excluded.used`;

export interface NewSuppression {
  account: string;
  address: string;
  reason: string;
  at: number;
}

/** Without repetitions, in the order of the first ones. */
function distinctSuppressions(all: Iterable<NewSuppression>): NewSuppression[] {
  const found = new Map<string, NewSuppression>();
  for (const suppression of all) {
    const name = JSON.stringify([suppression.account, suppression.address]);
    if (!found.has(name)) found.set(name, suppression);
  }
  return [...found.values()];
}

export const suppressionRows = (suppressions: readonly NewSuppression[]) => [
  suppressions.map(({ account }) => account),
  suppressions.map(({ address }) => address),
  suppressions.map(({ reason }) => reason),
  suppressions.map(({ at }) => at),
];

/** Adds suppressions and keeps the first reason; the values of `suppressionRows` begin at the parameter `$first`. */
export const addSuppressions = (first: number): string =>
  `INSERT INTO suppression (epoch, account, address, reason, at)
    SELECT $1, account, address, reason, at
    FROM unnest($${first}::text[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::bigint[])
      WITH ORDINALITY AS new (account, address, reason, at, position)
    ORDER BY position
    ON CONFLICT DO NOTHING`;

/** The rows that go with steps of due messages. */
export const effectRows = (effects: readonly DueStep[]) => [
  ...countRows(
    sumCounts(
      effects.flatMap(({ message: { accountId: account }, counted }) =>
        counted === undefined
          ? []
          : [{ account, month: monthOf(counted.at), recipients: counted.recipients }],
      ),
    ),
  ),
  ...suppressionRows(
    distinctSuppressions(
      effects.flatMap(({ message: { accountId: account }, suppress = [] }) =>
        suppress.map((suppression) => ({ account, ...suppression })),
      ),
    ),
  ),
];
