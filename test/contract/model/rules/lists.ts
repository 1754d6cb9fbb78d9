import { accountOf, type Fixtures, type Role } from "../../engine/settings.ts";
import { type Allowed, equals } from "../allowed.ts";
import type { Context, Json, ModelRequest, World } from "../world.ts";

type Listing = "lists" | "fields";

/** What identifies an entry, the requirements of a listing, and those of the properties of its entries. */
const listings = {
  lists: {
    id: "id",
    ids: ["LIST-1", "AUTH-2"],
    properties: { id: "LIST-2", name: "LIST-3", double_opt_in: "LIST-4" },
  },
  fields: {
    id: "key",
    ids: ["LIST-5", "LIST-11"],
    properties: { key: "LIST-6", label: "LIST-7", type: "LIST-8", fallback: "LIST-10" },
  },
} as const;

/** The lists or custom fields that the configuration names. */
function configured(name: Listing, account: Role, { lists = {}, fields = {}, contacts }: Fixtures): Json[] {
  if (account === "noNewsletter" && name === "lists") return [{ id: contacts?.noNewsletter?.list }];
  if (account !== "full") return [];
  const { plain, second, doubleOptIn } = lists;
  const all: Record<Listing, Json[]> = {
    lists: [
      { id: plain, double_opt_in: false },
      { id: second, double_opt_in: false },
      { id: doubleOptIn, double_opt_in: true },
    ].filter(({ id }) => id !== undefined),
    fields: Object.entries(fields).map(([type, key]) => ({ key, type })),
  };
  return all[name];
}

/** The known lists or custom fields of an account by id or key. */
export const entriesOf = (
  world: World,
  name: Listing,
  account: Role,
  { fixtures }: Pick<Context, "fixtures">,
): Map<unknown, Json> =>
  new Map(
    [...configured(name, account, fixtures), ...(world.listings.get(account)?.[name] ?? [])].map((one) => [
      one[listings[name].id],
      one,
    ]),
  );

/** The response to a listing: what the configuration names, nothing of another account, and the same as before, because no operation changes it. */
const listing =
  (name: Listing) =>
  (world: World, { key }: ModelRequest, { fixtures }: Context): Allowed[] => {
    const { id, ids, properties } = listings[name];
    const account = accountOf(key);
    const known = world.listings.get(account) ?? {};
    const foreign =
      account === "full"
        ? [fixtures.lists?.otherAccount]
        : configured("lists", "full", fixtures).map((one) => one.id);
    const effect: Allowed["effect"] = ({ json }) => {
      const found = (json as Json)[name];
      const entries = Array.isArray(found) ? (found as Json[]) : [];
      const shown = (all: readonly Json[], property: string): string[] =>
        all.map((one) => JSON.stringify(one[property])).sort();
      return {
        world: { ...world, listings: new Map(world.listings).set(account, { ...known, [name]: entries }) },
        findings: [
          ...configured(name, account, fixtures).flatMap((one) =>
            Object.entries(one).map(([property, value]) => {
              const same = entries.filter((entry) => entry[id] === one[id]).map((entry) => entry[property]);
              const own = properties[property as keyof typeof properties];
              return equals([...ids, own], `${property} of ${one[id]} in ${name}`, same, [value]);
            }),
          ),
          ...(name === "fields"
            ? []
            : [
                equals(
                  [...ids],
                  "lists of another account",
                  entries.filter((one) => foreign.includes(one.id as number)),
                  [],
                ),
              ]),
          ...Object.entries(properties).map(([property, own]) =>
            equals(
              [...ids, own],
              `${property} in ${name}`,
              shown(entries, property),
              shown(known[name] ?? entries, property),
            ),
          ),
        ],
      };
    };
    return [{ ids, status: "2XX", effect }];
  };

export const listNewsletterLists = listing("lists");
export const listCustomFields = listing("fields");
