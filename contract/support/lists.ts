import { NotVerified } from "../engine/assert.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { entriesIn, requestOk } from "./assertions.ts";

const read = { lists: "listNewsletterLists", fields: "listCustomFields" } as const;

/** What the account of a role has, read once per run. */
export const readOnce = (tester: Tester, name: keyof typeof read, key: Role = "full"): Promise<Exchange> =>
  tester.once(`the ${name} of ${key}`, (own) => requestOk(own, read[name], { key }));

export const fieldTypes = ["text", "number", "date", "url"] as const;

/**
 * A list without double opt-in of a role's account.
 * @throws NotVerified if it has none
 */
export async function plainListOf(tester: Tester, role: Role): Promise<number> {
  const lists = entriesIn(await readOnce(tester, "lists", role), "lists");
  const plain = lists.find(({ double_opt_in }) => double_opt_in === false);
  if (plain === undefined) throw new NotVerified(`The account of ${role} has no list without double opt-in.`);
  return Number(plain.id);
}
