import type pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { accountOption } from "../stores.ts";

/** SQL for the number of the lock that an instance holds as long as it is connected. @param name SQL for its name */
export const instanceLock = (name: string): string => `hashtextextended('instance ' || ${name}, 0)`;

/** Any number that is the same for all instances: each that has agreed holds this lock as long as it is connected. */
export const agreedLock = 7_245_106_914;

/** Says that an instance is connected, until its connection ends. */
export async function holdInstanceLock(client: pg.Client, name: string): Promise<void> {
  await client.query(`SELECT pg_advisory_lock_shared(${instanceLock("$1")})`, [name]);
}

/** The options of an instance that all others must have too, by name. */
export type SharedOptions = Readonly<Record<string, string>>;

const table = "email_sandbox.instance_option";

/**
 * Compares the options of this instance with those of the others. Without any others, its own are the new ones, until its
 * connection ends.
 *
 * @throws UserError if others run with other options
 */
export async function agree(client: pg.Client, own: SharedOptions, shown: string): Promise<void> {
  // One instance after the other; a backup may read the table meanwhile.
  await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  try {
    const { rows } = await client.query(`SELECT name, value FROM ${table}`);
    const theirs: SharedOptions = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
    const different = differences(own, theirs);
    if (different.length > 0) {
      const isAlone = await client.query("SELECT pg_try_advisory_xact_lock($1) AS alone", [agreedLock]);
      if (!isAlone.rows[0].alone) throw disagreement(different, shown);
      await replace(client, own);
    }
    await client.query("SELECT pg_advisory_lock_shared($1)", [agreedLock]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

async function replace(client: pg.Client, own: SharedOptions): Promise<void> {
  await client.query(`DELETE FROM ${table}`);
  await client.query(`INSERT INTO ${table} SELECT * FROM unnest($1::text[], $2::text[])`, [
    Object.keys(own),
    Object.values(own),
  ]);
}

function differences(own: SharedOptions, theirs: SharedOptions): string[] {
  const names = new Set([...Object.keys(own), ...Object.keys(theirs)]);
  // An account that only one of them has is in the list of the accounts.
  const isListed = (name: string): boolean =>
    name.startsWith(accountOption) && (own[name] === undefined || theirs[name] === undefined);
  const different = [...names].filter((name) => own[name] !== theirs[name] && !isListed(name)).sort();
  const shown = different.slice(0, mostShown).map((name) => difference(name, theirs[name], own[name]));
  const more = different.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

const mostShown = 5;

function difference(name: string, there: string | undefined, here: string | undefined): string {
  if (isDigest(there) && isDigest(here)) return `${name} (another one there)`;
  const start = differenceStart(there ?? "", here ?? "");
  return `${name} (${excerpt(there, start)} there, ${excerpt(here, start)} here)`;
}

const isDigest = (value: string | undefined): boolean => value?.startsWith("sha256:") === true;

/** Where the first item begins in which two lists differ. In a long text without items, a few characters before. */
function differenceStart(one: string, other: string): number {
  let equal = 0;
  while (equal < one.length && one[equal] === other[equal]) equal += 1;
  const separator = one.slice(0, equal).lastIndexOf(", ");
  return Math.max(separator === -1 ? 0 : separator + 2, equal - longestShown / 2);
}

/** A digest tells nobody anything. */
function excerpt(value: string | undefined, start: number): string {
  if (value === undefined) return "not set";
  if (isDigest(value)) return "set";
  if (value.length <= longestShown) return value;
  // What comes before is the same.
  const text = value.slice(start, start + longestShown);
  return `${start > 0 ? "…" : ""}${text}${start + text.length < value.length ? "…" : ""}`;
}

const longestShown = 60;

const disagreement = (different: string[], shown: string): UserError =>
  new UserError(`other instances on the database ${shown} have other options: ${different.join(", ")}`, {
    hint: "Start this one with the same options, stop the others first, or use another database.",
  });
