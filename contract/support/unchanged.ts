import { isDeepStrictEqual } from "node:util";
import type { Product } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { AssertionFailure } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import { recipientsIn } from "../engine/run.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { format } from "./assertions.ts";
import { addContact } from "./contacts.ts";
import { emailNeeds, schedule, sends } from "./messages.ts";
import { quotaRemaining, readQuota } from "./quota.ts";
import { hour } from "./scheduled-messages.ts";

/** A message or contact that requests are not about, or that they must leave as it is; what they may not change, by name. */
interface Kept {
  path: Record<string, string>;
  look(): Promise<Record<string, unknown>>;
}

/** What requests to the operations of a product may not change. */
const keep: Record<Product, (tester: Tester) => Promise<Kept>> = {
  email: async (tester) => {
    const path = { id: await schedule(tester, 6 * hour, { tags: { order: "1042" } }) };
    return {
      path,
      look: async () => ({
        "the message": shown(await tester.request("getEmail", { path })),
        [quota]: quotaRemaining(await readQuota(tester, "full")),
      }),
    };
  },
  newsletter: async (tester) => {
    const path = { email: await addContact(tester, { first_name: "Ada", tags: ["contract-bread"] }) };
    return {
      path,
      look: async () => ({
        "the contact": shown(await tester.request("getContact", { path })),
        "the lists": shown(await tester.request("listNewsletterLists")),
        "the custom fields": shown(await tester.request("listCustomFields")),
      }),
    };
  },
};

const quota = "the monthly quota remaining";

export const needsToKeep: Record<Product, readonly Need[]> = {
  email: emailNeeds,
  newsletter: ["lists.plain"],
};

/** What a response says, without descriptive texts, which may change with time. */
function shown({ status, json }: Exchange): unknown {
  return { status, json: withoutTexts(json) };
}

function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isObject(value)) return value;
  const rest = Object.entries(value).filter(([name]) => name !== "status_description");
  return Object.fromEntries(rest.map(([name, inner]) => [name, withoutTexts(inner)]));
}

/**
 * Sends a request that may change nothing but what a success says, and asserts its response.
 * @param path the path parameters of a message or contact that stays as it is
 */
export type Attempt = (tester: Tester, path: Record<string, string>) => Promise<Exchange>;

/**
 * Makes attempts, and asserts that they change nothing. What they may not change is looked up once before and once after them; only if it
 * differs, half of them are made again, until one is found that changes it. A difference that does not show again is due to others.
 */
export async function assertNothingChanges(
  tester: Tester,
  product: Product,
  attempts: readonly Attempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  const { path, look } = await keep[product](tester);
  const before = await look();
  const made: Exchange[] = [];
  for (const attempt of attempts) made.push(await attempt(tester, path));
  const change = changeIn(before, await look(), made);
  if (change === undefined) return;
  const allowed = made.map((exchange) => mayChange(exchange, path));
  if (allowed.includes(true))
    return assertNothingChanges(
      tester,
      product,
      attempts.filter((_, index) => allowed[index] !== true),
    );
  if (attempts.length === 1) throw new AssertionFailure(made[0], change);
  const middle = Math.ceil(attempts.length / 2);
  await assertNothingChanges(tester, product, attempts.slice(0, middle));
  await assertNothingChanges(tester, product, attempts.slice(middle));
}

/** Whether it is an accepted change of the message or contact that stays. */
const mayChange = (exchange: Exchange, path: Record<string, string>): boolean =>
  isSuccess(exchange) &&
  ["POST", "PATCH", "DELETE"].includes(exchange.request.method) &&
  Object.values(path).some((part) => exchange.request.path.includes(encodeURIComponent(part)));

/** The first change, in what was looked up; the quota may decrease by the recipients of accepted messages. */
export function changeIn(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  made: readonly Exchange[],
): { expected: string; found: string } | undefined {
  const accepted = made.filter(isSuccess).reduce((sum, { request }) => sum + recipientsOf(request), 0);
  for (const [name, value] of Object.entries(before)) {
    const now = after[name];
    if (name === quota && Number(now) >= Number(value) - accepted) continue;
    if (isDeepStrictEqual(now, value)) continue;
    const [was, is] = different(value, now);
    const requests = made.length === 1 ? "the request" : "these requests";
    return { expected: `${name} unchanged by ${requests}: ${format(was)}`, found: format(is) };
  }
  return undefined;
}

function recipientsOf({ operation, body, rawBody }: Exchange["request"]): number {
  if (!sends.some((id) => id === operation)) return 0;
  // Some text that is not quite the JSON of a message has one recipient.
  if (rawBody !== undefined || !isObject(body)) return 1;
  const { emails } = body as { emails?: unknown };
  const all = Array.isArray(emails) ? emails.filter(isObject) : [body];
  return all.reduce<number>((sum, one) => sum + recipientsIn(one as Record<string, unknown>), 0);
}

/** The innermost part in which two values differ. */
function different(one: unknown, other: unknown): [unknown, unknown] {
  const isPair = (isObject(one) && isObject(other)) || (Array.isArray(one) && Array.isArray(other));
  if (!isPair) return [one, other];
  const [left, right] = [one, other] as Record<string, unknown>[];
  const names = Object.keys({ ...left, ...right });
  const changed = names.filter((name) => !isDeepStrictEqual(left?.[name], right?.[name]));
  const [only] = changed;
  return changed.length === 1 && only !== undefined ? different(left?.[only], right?.[only]) : [one, other];
}
