import type { OperationId, Product } from "../../generated/operations.ts";
import { isSame } from "../difference.ts";
import { AssertionFailure, ifInRun } from "../engine/assert.ts";
import { type CaseOptions, type TestCase, testCase } from "../engine/check.ts";
import { isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, type RequestOptions } from "../exchange.ts";
import { assertError, format, type Json, requestOk } from "./assertions.ts";
import { addContact, listId, needsList } from "./contacts.ts";
import { emailNeeds, hour, schedule, secondsAhead } from "./messages.ts";
import { readQuota } from "./quota.ts";
import { quotaRemaining } from "./rate-limit.ts";
import { operationsOfProduct } from "./requests.ts";

type Path = Record<string, string>;

/** What requests may not change: a message, a message and the quota that sends use, or a contact. */
type Subject = Product | "sends";

interface Kept {
  path: Path;
  /** What may not change, by name. */
  look(get: (operation: OperationId, options: RequestOptions) => Promise<Exchange>): Promise<Json>;
}

const keep: Record<Subject, (tester: Tester) => Promise<Kept>> = {
  email: async (tester) => {
    const path = { id: await schedule(tester, 6 * hour, { tags: { order: "1042" } }) };
    return { path, look: async (get) => ({ "the message": comparable(await get("getEmail", { path })) }) };
  },
  sends: async (tester) => {
    const { path, look } = await keep.email(tester);
    // Reading the quota needs a cancel.
    if (!isInRun(tester.settings, "cancelEmail")) return { path, look };
    const left = async () => quotaRemaining(await readQuota(tester, "full"));
    return { path, look: async (get) => ({ ...(await look(get)), [quota]: await left() }) };
  },
  newsletter: async (tester) => {
    const path = { email: await addContact(tester, { first_name: "Ada", tags: ["contract-bread"] }) };
    return { path, look: async (get) => ({ "the contact": comparable(await get("getContact", { path })) }) };
  },
};

const quota = "the monthly quota remaining";

/** What a response says, without descriptive texts, which may change with time. */
const comparable = ({ text, json }: Exchange): unknown =>
  json === undefined
    ? text
    : JSON.parse(JSON.stringify(json), (name, value) => (name === "status_description" ? undefined : value));

/**
 * Sends a request that may change nothing, and asserts its response.
 * @param path the path parameters of the message or contact that stays as it is
 */
export interface Attempt {
  (tester: Tester, path: Path): Promise<Exchange>;
  /** What is not met if it changes something; default: by its status, or what the check verifies. */
  ids?: readonly string[];
}

/** What is not met if a request that is rejected with these statuses changes something. Others say nothing of why they reject. */
const rejecting: Partial<Record<number, string[]>> = { 405: ["ERR-7"], 422: ["ERR-10"] };

/**
 * Makes attempts, and asserts that they change nothing. What they may not change is looked up once before and once after them; only if it
 * differs, half of them are made again, until one is found that changes it. A difference that does not show again is due to others.
 */
export async function assertNothingChanges(tester: Tester, subject: Subject, attempts: readonly Attempt[]) {
  const { path, look } = await keep[subject](tester);
  // Without the lookup, there is nothing to compare.
  const before = await look((...request) => requestOk(tester, ...request));
  const made: Exchange[] = [];
  const inRun: Attempt[] = [];
  for (const attempt of attempts) {
    const own = await ifInRun(attempt(tester, path));
    if (own === undefined) continue;
    made.push(own);
    inRun.push(attempt);
  }
  // With none in the run, the case is outside it, too.
  if (made.length === 0) await attempts[0]?.(tester, path);
  const change = changeIn(before, await look(tester.request.bind(tester)), made);
  if (change === undefined) return;
  if (inRun.length === 1)
    throw new AssertionFailure(made[0], change, inRun[0]?.ids ?? rejecting[made[0]?.status ?? 0]);
  const middle = Math.ceil(inRun.length / 2);
  await assertNothingChanges(tester, subject, inRun.slice(0, middle));
  await assertNothingChanges(tester, subject, inRun.slice(middle));
}

export const unchangedCase = (
  title: string,
  subject: Subject,
  attempts: readonly Attempt[],
  options: CaseOptions = {},
): TestCase => {
  const [operation, needs] =
    subject === "newsletter" ? (["upsertContact", needsList] as const) : (["sendEmail", emailNeeds] as const);
  return testCase(title, { operation, needs, core: false, ...options }, (tester) =>
    assertNothingChanges(tester, subject, attempts),
  );
};

/** Valid requests that would change the message or contact. */
export const changes: Partial<Record<OperationId, (tester: Tester, path: Path) => RequestOptions>> = {
  rescheduleEmail: (tester, path) => ({ path, body: { scheduled_at: secondsAhead(tester, hour) } }),
  cancelEmail: (_, path) => ({ path }),
  upsertContact: (tester, path) => ({
    body: { ...path, list_id: listId(tester, "plain"), first_name: "Zoe" },
  }),
  unsubscribeContact: (_, path) => ({ path, body: {} }),
};

/** One case per product whose requests are rejected for their key. */
export const casePerChange = (key: Exclude<RequestOptions["key"], undefined>, status: number, type: string) =>
  (["email", "newsletter"] as const).map((product) => {
    const attempts = operationsOfProduct(product).flatMap((operation): Attempt[] => {
      const optionsOf = changes[operation];
      if (optionsOf === undefined) return [];
      return [
        async (tester, path) => {
          const exchange = await tester.request(operation, { ...optionsOf(tester, path), key });
          // A list of another account is rejected for its id.
          assertError(exchange, status, type, ...(status === 404 ? ["list_id"] : []));
          return exchange;
        },
      ];
    });
    return unchangedCase(`changes to ${product}`, product, attempts);
  });

/** The first change, in what was looked up; the quota may decrease by the messages that were accepted, each with one recipient. */
function changeIn(before: Json, after: Json, made: readonly Exchange[]) {
  const accepted = made.filter((one) => isSuccess(one) && one.request.method === "POST").length;
  const name = Object.keys(before).find(
    (one) =>
      !isSame(before[one], after[one]) &&
      !(one === quota && Number(after[one]) >= Number(before[one]) - accepted),
  );
  if (name === undefined) return undefined;
  const [one, other] = [before[name], after[name]];
  return { expected: `${name} as before: ${format(one, other)}`, found: format(other, one) };
}
