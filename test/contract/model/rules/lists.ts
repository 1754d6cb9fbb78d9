import { accountOf, type Role } from "../../engine/settings.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { type Allowed, equals } from "../allowed.ts";
import type { Context, Json, ModelRequest, World } from "../world.ts";
import type { CustomFields } from "./contact-body.ts";

/** The lists of the configuration by id, with whether they have double opt-in. */
const configuredLists = (account: Role, { fixtures: { lists = {} } }: Context): Map<unknown, boolean> =>
  new Map(
    account === "full"
      ? [
          [lists.plain, false],
          [lists.second, false],
          [lists.doubleOptIn, true],
        ]
      : [],
  );

/** The known lists of an account by id, with whether they have double opt-in. */
export const listsOf = (world: World, account: Role, context: Context): Map<unknown, boolean> =>
  new Map([
    ...(world.listings.get(account)?.lists ?? []).map(
      ({ id, double_opt_in }) => [id, double_opt_in === true] as const,
    ),
    ...configuredLists(account, context),
  ]);

/** The known custom fields of an account. */
export function customFieldsOf(
  world: World,
  account: Role,
  { fixtures: { fields = {} } }: Context,
): CustomFields {
  const configured =
    account === "full" ? Object.entries(fields).map(([type, key]) => [key, type] as const) : [];
  const listed = world.listings.get(account)?.fields;
  const types = new Map([
    ...configured,
    ...(listed ?? []).map(({ key, type }) => [String(key), type] as const),
  ]);
  return { types, areAll: listed !== undefined };
}

/** What an account's custom fields may show instead of no value. */
export const fallbacksOf = (world: World, account: Role): Json =>
  Object.fromEntries((world.listings.get(account)?.fields ?? []).map(({ key, fallback }) => [key, fallback]));

const properties = {
  lists: { id: "LIST-2", name: "LIST-3", double_opt_in: "LIST-4" },
  fields: { key: "LIST-6", label: "LIST-7", type: "LIST-8", fallback: "LIST-10" },
};

/** The lists of an account: those of the configuration, and none of another account. */
export const listNewsletterLists = (world: World, request: ModelRequest, context: Context): Allowed[] =>
  listing(world, request, { name: "lists", ids: ["LIST-1", "AUTH-2"] }, (entries) => {
    const account = accountOf(request.key);
    const own = configuredLists(account, context);
    const { otherAccount } = context.fixtures.lists ?? {};
    const foreign = account === "full" ? [otherAccount] : [...configuredLists("full", context).keys()];
    const ids = entries.map(({ id }) => id);
    return [
      ...[...own].flatMap(([id, isPending]) => {
        const shown = entries.filter((one) => one.id === id).map((one) => one.double_opt_in);
        return id === undefined
          ? []
          : [equals(["LIST-1", "LIST-4"], `double_opt_in of list ${id}`, shown, [isPending])];
      }),
      equals(
        ["AUTH-2", "LIST-1"],
        "lists of another account",
        ids.filter((id) => foreign.includes(id as number)),
        [],
      ),
    ];
  });

/** The custom fields of an account: those of the configuration. */
export const listCustomFields = (world: World, request: ModelRequest, { fixtures }: Context): Allowed[] =>
  listing(world, request, { name: "fields", ids: ["LIST-5", "LIST-11"] }, (entries) =>
    Object.entries(accountOf(request.key) === "full" ? (fixtures.fields ?? {}) : {}).map(([type, key]) => {
      const shown = entries.filter((one) => one.key === key).map((one) => one.type);
      return equals(["LIST-6", "LIST-8"], `type of custom field ${key}`, shown, [type]);
    }),
  );

function listing(
  world: World,
  request: ModelRequest,
  { name, ids }: { name: keyof typeof properties; ids: string[] },
  findings: (entries: readonly Json[]) => ResponseFinding[],
): Allowed[] {
  const account = accountOf(request.key);
  const known = world.listings.get(account) ?? {};
  const effect: Allowed["effect"] = ({ json }) => {
    const found = (json as Json)[name];
    const entries = Array.isArray(found) ? (found as Json[]) : [];
    const shown = (all: readonly Json[], property: string): unknown[] =>
      all.map((one) => JSON.stringify(one[property])).sort();
    return {
      world: {
        ...world,
        listings: new Map(world.listings).set(account, { ...known, [name]: entries }),
      },
      findings: [
        ...findings(entries),
        // No operation changes them.
        ...Object.entries(properties[name]).map(([property, id]) =>
          equals(
            [...ids, id],
            `${property} of the ${name}`,
            shown(entries, property),
            shown(known[name] ?? entries, property),
          ),
        ),
      ],
    };
  };
  return [{ ids, status: "2XX", effect }];
}
