import { accountOf, type Fixtures, type Role } from "../../engine/settings.ts";
import { type Allowed, equals } from "../allowed.ts";
import { type Context, entriesIn, type Json, type ModelRequest, type World } from "../world.ts";

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
  if (name === "fields") return Object.entries(fields).map(([type, key]) => ({ key, type }));
  const { plain, second, doubleOptIn } = lists;
  const simple = [plain, second].map((id) => ({ id, double_opt_in: false }));
  return [...simple, { id: doubleOptIn, double_opt_in: true }].filter(({ id }) => id !== undefined);
}

/** The known lists or custom fields of an account by id or key. */
export function entriesOf(
  world: World,
  name: Listing,
  account: Role,
  { fixtures }: Pick<Context, "fixtures">,
): Map<unknown, Json> {
  const all = [...configured(name, account, fixtures), ...(world.listings.get(account)?.[name] ?? [])];
  return new Map(all.map((one) => [one[listings[name].id], one]));
}

/** The response to a listing: what the configuration names, nothing of another account, and the same as before, because no operation changes it. */
const listing =
  (name: Listing) =>
  (world: World, { key }: ModelRequest, { fixtures }: Context): Allowed[] => {
    const { id, ids, properties } = listings[name];
    const account = accountOf(key);
    const known = world.listings.get(account) ?? {};
    const own = configured(name, account, fixtures);
    const { otherAccount } = fixtures.lists ?? {};
    const foreign =
      account === "full" ? [otherAccount] : configured(name, "full", fixtures).map((one) => one[id]);
    const effect: Allowed["effect"] = (json) => {
      const entries = entriesIn(json[name]);
      const shown = (all: readonly Json[], property: string): string[] =>
        all.map((one) => JSON.stringify(one[property])).sort();
      const valuesOf = (one: Json, property: string): unknown[] =>
        entries.filter((entry) => entry[id] === one[id]).map((entry) => entry[property]);
      const ofOthers = name === "lists" ? entries.filter((one) => foreign.includes(one.id as number)) : [];
      return {
        world: { ...world, listings: new Map(world.listings).set(account, { ...known, [name]: entries }) },
        findings: [
          equals(ids, "lists of another account", ofOthers, []),
          ...Object.entries(properties).flatMap(([property, one]) => [
            ...own
              .filter((entry) => property in entry)
              .map((entry) => {
                const found = valuesOf(entry, property);
                return equals([...ids, one], `${property} of ${entry[id]} in ${name}`, found, [
                  entry[property],
                ]);
              }),
            equals(
              [...ids, one],
              `${property} in ${name}`,
              shown(entries, property),
              shown(known[name] ?? entries, property),
            ),
          ]),
        ],
      };
    };
    return [{ ids, status: "2XX", effect }];
  };

export const listNewsletterLists = listing("lists");
export const listCustomFields = listing("fields");
