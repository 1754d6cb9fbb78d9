import type { OperationId } from "../../../generated/operations.ts";
import { UserError } from "../../../lib/user-error.ts";
import { Run, type RunOptions } from "../engine/run.ts";
import type { Fixtures, Settings } from "../engine/settings.ts";
import { Tester, WaitTooLong } from "../engine/tester.ts";
import { errorOf, isSuccess } from "../exchange.ts";

/** What the server reports to the key `full`. */
export interface Discovery {
  lists: NonNullable<Fixtures["lists"]>;
  fields: NonNullable<Fixtures["fields"]>;
  /** The responses that are no success, by operation: `402 no_plan`. */
  rejections: Partial<Record<OperationId, string>>;
  every: {
    lists: { id: number; name: string; isDoubleOptIn: boolean }[];
    fields: { key: string; label: string; type: string }[];
  };
}

const readOperations = [
  "getMe",
  "listNewsletterLists",
  "listCustomFields",
] as const satisfies readonly OperationId[];

export type DiscoverOptions = Pick<RunOptions, "fetch" | "onWait" | "time">;

/**
 * Reads lists and custom fields from the server.
 * @throws UserError with exit code 2 if the server does not respond, demands a long wait, or rejects the key
 */
export async function discover(settings: Settings, means: DiscoverOptions = {}): Promise<Discovery> {
  const found: Discovery = { lists: {}, fields: {}, rejections: {}, every: { lists: [], fields: [] } };
  if (settings.keys.full === undefined) return found;
  const tester = new Tester(new Run({ settings, hooks: {}, ...means }));
  const responses: Partial<Record<OperationId, unknown>> = {};
  for (const operation of readOperations) {
    const exchange = await tester.request(operation).catch((cause: unknown) => {
      const hint =
        cause instanceof WaitTooLong
          ? "Try again later, or use the key of another account."
          : `Is ${settings.baseUrl} the base URL of the server, without /api/v1?`;
      throw new UserError(cause instanceof Error ? cause.message : String(cause), { hint, exitCode: 2 });
    });
    if (isSuccess(exchange)) responses[operation] = exchange.json;
    else found.rejections[operation] = `${exchange.status} ${String(errorOf(exchange)?.type ?? "")}`.trim();
  }
  if (readOperations.every((operation) => found.rejections[operation]?.startsWith("401")))
    throw new UserError("the server rejects the key with 401", {
      hint: "Set CONTRACT_API_KEY, or the variable that keys.full names, to a key of this server.",
      exitCode: 2,
    });
  return { ...found, ...listsIn(responses.listNewsletterLists, responses.listCustomFields) };
}

/**
 * The settings with discovered lists and fields where none are configured.
 * @throws UserError as `discover` does
 */
export async function withDiscoveredFixtures(
  settings: Settings,
  means: DiscoverOptions = {},
): Promise<Settings> {
  if (settings.profile === "mock" || settings.keys.full === undefined) return settings;
  return withDiscovery(settings, await discover(settings, means));
}

export function withDiscovery<Given extends Settings>(settings: Given, { lists, fields }: Discovery): Given {
  const { fixtures } = settings;
  // A list that is configured for one purpose is not used for another.
  const taken = Object.values(fixtures.lists ?? {});
  const free = Object.entries(lists).filter(([, id]) => !taken.includes(id));
  const allLists = { ...Object.fromEntries(free), ...fixtures.lists };
  const allFields = { ...fields, ...fixtures.fields };
  return {
    ...settings,
    fixtures: {
      ...fixtures,
      ...(Object.keys(allLists).length > 0 && { lists: allLists }),
      ...(Object.keys(allFields).length > 0 && { fields: allFields }),
    },
  };
}

const fieldTypes = ["text", "number", "date", "url"] as const;

/** Ignores malformed entries: checks report them. */
function listsIn(ofLists: unknown, ofFields: unknown): Pick<Discovery, "lists" | "fields" | "every"> {
  const lists = entriesOf(ofLists, "lists").flatMap(({ id, name, double_opt_in }) =>
    Number.isSafeInteger(id) && typeof double_opt_in === "boolean"
      ? [{ id: id as number, name: String(name), isDoubleOptIn: double_opt_in }]
      : [],
  );
  // Lists for testing come first.
  const inOrder = lists.toSorted((one, other) => Number(isForTests(other)) - Number(isForTests(one)));
  const [plain, second] = inOrder.filter(({ isDoubleOptIn }) => !isDoubleOptIn);
  const doubleOptIn = inOrder.find(({ isDoubleOptIn }) => isDoubleOptIn);
  const fields = entriesOf(ofFields, "fields").flatMap(({ key, label, type }) =>
    typeof key === "string" && fieldTypes.some((known) => known === type)
      ? [{ key, label: String(label), type: String(type) }]
      : [],
  );
  const firsts = fieldTypes.flatMap((type) => {
    const first = fields.find((field) => field.type === type);
    return first === undefined ? [] : [[type, first.key] as const];
  });
  return {
    lists: {
      ...(plain && { plain: plain.id }),
      ...(second && { second: second.id }),
      ...(doubleOptIn && { doubleOptIn: doubleOptIn.id }),
    },
    fields: Object.fromEntries(firsts),
    every: { lists, fields },
  };
}

const isForTests = ({ name }: { name: string }): boolean =>
  /\b(contract|test|tests|testing|sandbox)\b/i.test(name);

function entriesOf(body: unknown, name: string): Record<string, unknown>[] {
  const entries = (body as Record<string, unknown> | null | undefined)?.[name];
  if (!Array.isArray(entries)) return [];
  return entries.filter((entry) => typeof entry === "object" && entry !== null) as Record<string, unknown>[];
}
