import { type Allowed, type Effect, equals, provenIf } from "../allowed.ts";
import { entriesIn, type Given, isolation, type Json } from "../world.ts";

type Listing = "lists" | "fields";

/** What identifies an entry, the requirements on a listing and on its length, and those on the properties of its entries. */
const listings = {
  lists: {
    id: "id",
    ids: ["LIST-1"],
    ofLength: "LIST-1",
    properties: { id: "LIST-2", name: "LIST-3", double_opt_in: "LIST-4" },
  },
  fields: {
    id: "key",
    ids: ["LIST-5"],
    ofLength: "LIST-11",
    properties: { key: "LIST-6", label: "LIST-7", type: "LIST-8", fallback: "LIST-10" },
  },
} as const;

/** What the configuration says of the lists or custom fields of an account. */
function configured(name: Listing, { account, fixtures }: Given): Json[] {
  const { lists = {}, fields = {}, contacts } = fixtures;
  if (account === "noNewsletter" && name === "lists") return [{ id: contacts?.noNewsletter?.list }];
  if (account !== "full") return [];
  if (name === "fields") return Object.entries(fields).map(([type, key]) => ({ key, type }));
  const { otherAccount, ...own } = lists;
  return Object.entries(own).map(([kind, id]) => ({ id, double_opt_in: kind === "doubleOptIn" }));
}

/** The known lists or custom fields of an account by id or key. */
export function entriesOf(given: Given, name: Listing): Map<unknown, Json> {
  const { world, account } = given;
  const all = [...configured(name, given), ...(world.listings.get(account)?.[name] ?? [])];
  return new Map(all.map((one) => [one[listings[name].id], one]));
}

/** Whether a list is known to be of another account. */
export function isOfOther({ world, account, fixtures }: Given, list: unknown): boolean {
  const others = [...world.listings].flatMap(([of, { lists = [] }]) => (of === account ? [] : lists));
  return (
    (account === "full" && list === fixtures.lists?.otherAccount) || others.some(({ id }) => id === list)
  );
}

export const listNewsletterLists = (given: Given): Allowed[] => listing(given, "lists");
export const listCustomFields = (given: Given): Allowed[] => listing(given, "fields");

/** The response to a listing: what is known, nothing of another account, and as much as before, because no operation changes it. */
function listing(given: Given, name: Listing): Allowed[] {
  const { id, ids, ofLength, properties } = listings[name];
  const { world, account, fixtures } = given;
  const before = world.listings.get(account);
  const { otherAccount, ...ofMain } = fixtures.lists ?? {};
  const foreign = account === "full" ? [otherAccount] : Object.values(ofMain);
  const ofOther = isolation([...world.listings.keys()].some((one) => one !== account));
  const effect: Effect = (json) => {
    const entries = entriesIn(json[name]);
    const ofOthers = entries.filter((one) => foreign.includes(Number(one.id)));
    const compare = (known: Json) =>
      Object.entries(properties)
        .filter(([property]) => property in known)
        .map(([property, own]) => {
          const found = entries.filter((one) => one[id] === known[id]).map((one) => one[property]);
          return equals([own, ...ofOther], `${property} of ${known[id]} in ${name}`, found, [
            known[property],
          ]);
        });
    return {
      world: { ...world, listings: new Map(world.listings).set(account, { ...before, [name]: entries }) },
      findings: [
        provenIf(
          name === "lists" && foreign.some((one) => one !== undefined),
          equals(["AUTH-2"], "lists of another account", ofOthers, []),
        ),
        ...[...entriesOf(given, name).values()].flatMap(compare),
        provenIf(
          before?.[name] !== undefined,
          equals(
            [ofLength, ...ofOther],
            `the number of ${name}`,
            entries.length,
            before?.[name]?.length ?? entries.length,
          ),
        ),
      ],
    };
  };
  return [{ ids, status: "2XX", effect }];
}
