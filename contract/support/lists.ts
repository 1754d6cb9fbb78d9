import { NotVerified } from "../engine/assert.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, requestOk } from "./assertions.ts";

const read = { lists: "listNewsletterLists", fields: "listCustomFields" } as const;

/** What an account has, read once per run. */
export const readOnce = (tester: Tester, name: keyof typeof read): Promise<Exchange> =>
  tester.once(`the ${name} of the account`, (own) => requestOk(own, read[name]));

export const fieldTypes = ["text", "number", "date", "url"] as const;

type List = { id: number; double_opt_in: boolean };

export const listsOf = (tester: Tester, role: Role) =>
  tester.once(`the lists of ${role}`, async (own) => {
    const exchange = await requestOk(own, "listNewsletterLists", { key: role });
    const { lists } = bodyOf(exchange);
    return { exchange, lists: Array.isArray(lists) ? (lists as List[]) : [] };
  });

/**
 * A list without double opt-in of a role's account.
 * @throws NotVerified if it has none
 */
export async function plainListOf(tester: Tester, role: Role): Promise<number> {
  const { lists } = await listsOf(tester, role);
  const plain = lists.find(({ double_opt_in }) => double_opt_in === false);
  if (plain === undefined) throw new NotVerified(`The account of ${role} has no list without double opt-in.`);
  return plain.id;
}
