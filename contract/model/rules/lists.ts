import { type Allowed, equals, isolation, provenIf, rejected, success } from "../judge.ts";
import { entriesIn, type Given, type Json } from "../state.ts";

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
  const { state, account } = given;
  const all = [...configured(name, given), ...(state.listings.get(account)?.[name] ?? [])];
  return new Map(all.map((one) => [one[listings[name].id], one]));
}

/** The lists that the configuration says are of other accounts. */
export function listsOfOthers({ account, fixtures }: Pick<Given, "account" | "fixtures">): unknown[] {
  const { otherAccount, ...own } = fixtures.lists ?? {};
  return account !== "full" ? Object.values(own) : otherAccount === undefined ? [] : [otherAccount];
}

/** Whether a list is known to be of another account. */
export function isOfOther(given: Given, list: unknown): boolean {
  const others = [...given.state.listings].filter(([account]) => account !== given.account);
  const ids = others.flatMap(([, { lists = [] }]) => lists.map(({ id }) => id));
  return [...listsOfOthers(given), ...ids].includes(list);
}

/** The response to a listing: what is known, nothing of another account, and as much as before, because no operation changes it. */
export function listing(given: Given): Allowed[] {
  const name = given.operation === "listCustomFields" ? "fields" : "lists";
  const { id, ids, ofLength, properties } = listings[name];
  const { state, account } = given;
  const before = state.listings.get(account);
  const length = before?.[name]?.length;
  const ofOther = isolation([...state.listings.keys()].some((one) => one !== account));
  const foreign = name === "lists" ? listsOfOthers(given) : [];
  const response = success(ids, (json) => {
    const entries = entriesIn(json[name]);
    const ofOthers = entries.filter((one) => foreign.includes(one.id));
    const compare = (known: Json) =>
      Object.entries(properties).flatMap(([property, own]) => {
        if (!(property in known)) return [];
        const found = entries.filter((one) => one[id] === known[id]).map((one) => one[property]);
        const title = `${property} of ${known[id]} in ${name}`;
        return [equals([own, ...ofOther], title, found, [known[property]])];
      });
    return {
      state: { ...state, listings: new Map(state.listings).set(account, { ...before, [name]: entries }) },
      findings: [
        provenIf(foreign.length > 0, equals(["AUTH-2"], "lists of another account", ofOthers, [])),
        ...[...entriesOf(given, name).values()].flatMap(compare),
        ...(length === undefined
          ? []
          : [equals([ofLength, ...ofOther], `the number of ${name}`, entries.length, length)]),
      ],
    };
  });
  return [response];
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Whether every server takes a value of a custom field, by type; undefined if one may or may not. */
const fitsType: Record<string, (value: unknown) => boolean | undefined> = {
  text: isText,
  number: (value) =>
    /^-?\d+(\.\d+)?$/.test(String(value)) || (Number.isNaN(Number(value)) ? false : undefined),
  // Of a day that its month lacks, the date object has another one.
  date: (value) => {
    if (!isText(value) || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
    return new Date(`${value}T00:00Z`).getUTCDate() === Number(value.slice(-2)) || undefined;
  },
  url: (value) => {
    if (!isText(value) || !/[:/]/.test(value)) return false;
    return /^https?:\/\/[a-z][a-z\d]*(\.[a-z][a-z\d]*)+(\/[\w.~/?=&-]*)?$/.test(value) || undefined;
  },
};

/** The errors that a contact gets for its custom fields: for an undefined one, and for a value of another type. An error that may be has no ids. */
export function rejectionsOfFields(given: Given): Allowed[] {
  const { state, account, body } = given;
  const values = Object.entries((body.fields ?? {}) as Json);
  const known = entriesOf(given, "fields");
  // Which fields an account has is known once they are listed.
  const areListed = state.listings.get(account)?.fields !== undefined;
  const isUnknown = values.some(([name]) => !known.has(name));
  const fits = values.map(
    ([name, value]) =>
      (known.has(name) && value === null) || fitsType[String(known.get(name)?.type)]?.(value),
  );
  // Whether a number is sent as a number or as text is unspecified.
  const isOpen = fits.includes(undefined) || values.some(([, value]) => typeof value === "number");
  const ids = [...(isUnknown && areListed ? ["CONT-11"] : []), ...(fits.includes(false) ? ["CONT-12"] : [])];
  return ids.length > 0 || isOpen ? [{ ...rejected(ids, "422.invalid_request"), fields: [["fields"]] }] : [];
}
