import { isDeepStrictEqual } from "node:util";
import type { Product } from "../../generated/operations.ts";
import { jsonOf } from "../../lib/objects.ts";
import { AssertionFailure } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { format } from "./assertions.ts";
import { addContact } from "./contacts.ts";
import { emailNeeds, schedule } from "./messages.ts";
import { quotaRemaining, readQuota } from "./quota.ts";
import { hour } from "./scheduled-messages.ts";

/** A message or contact that requests are not about, or that they must leave as it is; what they may not change, by name. */
interface Kept {
  path: Record<string, string>;
  look(): Promise<Looked>;
}

type Looked = Record<string, unknown>;

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
const shown = ({ status, text }: Exchange): unknown => [
  status,
  jsonOf(text.replaceAll(/"status_description":"(\\.|[^"\\])*",?/g, "")) ?? text,
];

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

/** The first change, in what was looked up; the quota may decrease by the messages that were accepted, each with one recipient. */
function changeIn(before: Looked, after: Looked, made: readonly Exchange[]) {
  const accepted = made.filter((one) => isSuccess(one) && one.request.method === "POST").length;
  const name = Object.keys(before).find(
    (one) =>
      !isDeepStrictEqual(before[one], after[one]) &&
      !(one === quota && Number(after[one]) >= Number(before[one]) - accepted),
  );
  if (name === undefined) return undefined;
  const [was, is] = different(before[name], after[name]);
  return { expected: `${name} as before: ${format(was)}`, found: format(is) };
}

/** The innermost part that differs. */
function different(one: unknown, other: unknown): [unknown, unknown] {
  if (typeof one !== "object" || typeof other !== "object") return [one, other];
  const [left, right] = [{ ...one }, { ...other }] as [Looked, Looked];
  const names = Object.keys({ ...left, ...right });
  const name = names.find((each) => !isDeepStrictEqual(left[each], right[each]));
  return name === undefined ? [one, other] : different(left[name], right[name]);
}
