import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Discovery } from "../../../test/contract/config/discover.ts";
import type { Role } from "../../../test/contract/engine/settings.ts";
import { type Exchange, isSuccess } from "../../../test/contract/exchange.ts";
import { type Finding, ok, responseText, unproven, wrong } from "./finding.ts";
import type { ProbeContext } from "./probes.ts";

/** One call that shows something of a key, and what it must be answered; success where nothing is named. */
interface Sign {
  operation: OperationId;
  path?: Readonly<Record<string, string>>;
  body?: object;
  answers?: readonly string[];
  /** An answer that may be right and proves nothing: of two faults, the server may tell this one. */
  doubt?: string;
}

const lists: Sign = { operation: "listNewsletterLists" };
const me: Sign = { operation: "getMe" };
/** Which says whether a key may look messages up: there is none of this id, and nothing else is wrong with the call. */
const message: Sign = {
  operation: "getEmail",
  path: { id: "contract-doctor-none" },
  answers: ["404 not_found"],
};
/** Which says whether a key may change contacts, and changes none: there is nobody of this address. */
const leave: Sign = {
  operation: "unsubscribeContact",
  path: { email: "contract-doctor-none@example.com" },
  body: {},
  answers: ["404 not_found"],
};
const answered = (sign: Sign, ...answers: string[]): Sign => ({ ...sign, answers });

/** What shows that a key is what its role says, as far as calls can tell that change nothing. */
const signs: Record<Role, { calls: readonly Sign[]; beyond?: string }> = {
  full: { calls: [me, lists, { operation: "listCustomFields" }, message] },
  second: { calls: [lists, message] },
  sendOnly: { calls: [message, answered(lists, "403 forbidden")] },
  readOnly: {
    calls: [lists, { ...answered(message, "403 forbidden"), doubt: "404 not_found" }],
    beyond: "that it may not send",
  },
  manageOnly: { calls: [leave, answered(lists, "403 forbidden")] },
  restricted: { calls: [message] },
  revoked: { calls: [answered(lists, "401 unauthorized")] },
  replaced: { calls: [me], beyond: "that it was replaced" },
  otherAccount: { calls: [me] },
  noPlan: {
    calls: [me, { ...answered(message, "402 no_plan"), doubt: "404 not_found" }],
    beyond: "that it has no plan",
  },
  noNewsletter: { calls: [me, answered(lists, "402 no_plan")] },
  noDomain: { calls: [me], beyond: "that its account has no domain" },
  atCeiling: { calls: [message], beyond: "that its account is at its ceiling" },
  burst: { calls: [me] },
  quota: { calls: [message], beyond: "its monthly allowance" },
};

const others: readonly Role[] = ["otherAccount", "noPlan", "noDomain", "burst", "quota", "atCeiling"];

/** How a server answers that does not have an operation, which says nothing of a key. */
const absent: readonly number[] = [404, 405, 501];

/** Looks at a key. The products are those that the run is about: calls of others are not made. */
export async function probeKey(
  { tester, found, descriptionOf }: ProbeContext,
  role: Role,
  products: readonly (string | null)[],
): Promise<Finding> {
  const { calls, beyond } = signs[role];
  const own = calls.filter(({ operation }) => products.includes(operations[operation].product));
  const seen: string[] = [];
  const gone: string[] = [];
  let isProven = beyond === undefined;
  for (const { operation, path, body, answers, doubt } of own) {
    const exchange = await tester.request(operation, {
      key: role,
      body,
      ...(path !== undefined && { path }),
    });
    const answer = responseText(exchange);
    seen.push(`${operation}: ${answer}`);
    if (doubt !== undefined) isProven = answer !== doubt;
    if (answer === doubt || (answers === undefined ? isSuccess(exchange) : answers.includes(answer)))
      continue;
    if (role === "replaced" && exchange.status === 401 && tester.run.offset > 0)
      return unproven(`${operation}: ${answer}; its overlap may be over, since the clock was moved on`);
    if (absent.includes(exchange.status)) {
      gone.push(`${operations[operation].method} ${operations[operation].path}`);
      continue;
    }
    const wanted = answers?.join(" or ") ?? "success";
    return wrong(
      `${operation} is answered ${answer}, not ${wanted}. Give: ${lower(descriptionOf(`keys.${role}`))}`,
    );
  }
  if (others.includes(role) && found.every.lists.length > 0) {
    const exchange = await tester.request("listNewsletterLists", { key: role });
    if (sharesLists(exchange, found))
      return wrong(
        `It sees the lists of keys.full: both are of one account. Give: ${lower(descriptionOf(`keys.${role}`))}`,
      );
  }
  if (own.length === 0) return unproven("This profile has no call that shows what it is.");
  const said = seen.join(", ");
  if (role === "full" && gone.length === own.length && gone.length > 0)
    return wrong(`${said}. The server has none of these: is baseUrl right?`);
  if (gone.length > 0) return unproven(`${said}; the server has no ${gone.join(", no ")}`);
  return isProven || beyond === undefined ? ok(said) : unproven(`${said}; only a run shows ${beyond}`);
}

/** Whether an answer has a list of the account of the key `full`, by its id and its name: ids alone may be each account's own. */
function sharesLists({ json }: Exchange, found: Discovery): boolean {
  const entries = (json as { lists?: unknown } | undefined)?.lists;
  if (!Array.isArray(entries)) return false;
  return entries.some((entry: { id?: unknown; name?: unknown } | null) =>
    found.every.lists.some(({ id, name }) => id === entry?.id && name === entry.name),
  );
}

/** A sentence's beginning within another. */
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
