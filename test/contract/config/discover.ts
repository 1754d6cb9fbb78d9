import type { OperationId } from "../../../generated/operations.ts";
import { UserError } from "../../../lib/user-error.ts";
import { Run, type RunOptions } from "../engine/run.ts";
import type { Fixtures, Settings } from "../engine/settings.ts";
import { Tester, WaitTooLong } from "../engine/tester.ts";
import { errorOf, isSuccess } from "../exchange.ts";

/** What the server tells the key `full`, and how many requests were made to learn it. */
export interface Discovery {
  lists: NonNullable<Fixtures["lists"]>;
  fields: NonNullable<Fixtures["fields"]>;
  /** What was answered where it was not success: `402 no_plan`, by operation. */
  rejections: Partial<Record<OperationId, string>>;
  every: {
    lists: { id: number; name: string; asks: boolean }[];
    fields: { key: string; label: string; type: string }[];
  };
}

const asked = ["getMe", "listNewsletterLists", "listCustomFields"] as const satisfies readonly OperationId[];

/** What looking at a server is done with: the global `fetch`, and waits that nobody hears of, unless told otherwise. */
export type DiscoverOptions = Pick<RunOptions, "fetch" | "onWait" | "time">;

/**
 * Asks the server what one key can show: which lists and custom fields there are. It only reads.
 *
 * @throws Failure with exit status 2 when the server does not answer, asks for too long a wait, or does not take the key
 */
export async function discover(settings: Settings, means: DiscoverOptions = {}): Promise<Discovery> {
  const found: Discovery = { lists: {}, fields: {}, rejections: {}, every: { lists: [], fields: [] } };
  if (settings.keys.full === undefined) return found;
  const tester = new Tester(new Run({ settings, hooks: {}, ...means }));
  const answers: Partial<Record<OperationId, unknown>> = {};
  for (const operation of asked) {
    const exchange = await tester.request(operation).catch((cause: unknown) => {
      const hint =
        cause instanceof WaitTooLong
          ? "Try again when the limit is free, or with the key of another account."
          : `Is ${settings.baseUrl} the address of the server, as it stands before /api/v1?`;
      throw new UserError(cause instanceof Error ? cause.message : String(cause), { hint, exitCode: 2 });
    });
    if (isSuccess(exchange)) answers[operation] = exchange.json;
    else found.rejections[operation] = `${exchange.status} ${String(errorOf(exchange)?.type ?? "")}`.trim();
  }
  if (asked.every((operation) => found.rejections[operation]?.startsWith("401")))
    throw new UserError("The server does not take the key: it answers 401.", {
      hint: "Set CONTRACT_API_KEY, or the variable that keys.full names, to a key of this server.",
      exitCode: 2,
    });
  return { ...found, ...listsIn(answers.listNewsletterLists, answers.listCustomFields) };
}

/**
 * The settings with what the server tells in the place of what is not configured. What is configured stays.
 * @throws Failure as `discover` does
 */
export async function withDiscoveredFixtures(
  settings: Settings,
  means: DiscoverOptions = {},
): Promise<Settings> {
  if (settings.profile === "mock" || settings.keys.full === undefined) return settings;
  return withDiscovery(settings, await discover(settings, means));
}

/** The settings with what was discovered in the place of what is not configured. */
export function withDiscovery<Given extends Settings>(settings: Given, { lists, fields }: Discovery): Given {
  const { fixtures } = settings;
  // A list that is configured for one purpose is not taken for another.
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

/** Reads what is well formed; the checks say what is not. */
function listsIn(ofLists: unknown, ofFields: unknown): Pick<Discovery, "lists" | "fields" | "every"> {
  const lists = entriesOf(ofLists, "lists").flatMap(({ id, name, double_opt_in }) =>
    Number.isSafeInteger(id) && typeof double_opt_in === "boolean"
      ? [{ id: id as number, name: String(name), asks: double_opt_in }]
      : [],
  );
  // Those come first that are there to be tested with.
  const inOrder = lists.toSorted((one, other) => Number(isForTests(other)) - Number(isForTests(one)));
  const [plain, second] = inOrder.filter(({ asks }) => !asks);
  const doubleOptIn = inOrder.find(({ asks }) => asks);
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
