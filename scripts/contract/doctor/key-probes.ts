import type { Discovery } from "../../../contract/config/discover.ts";
import type { Role } from "../../../contract/engine/settings.ts";
import { type Exchange, isSuccess } from "../../../contract/exchange.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { descriptionOf } from "../settings-list.ts";
import { type Finding, ok, responseText, unproven, wrong } from "./finding.ts";
import type { ProbeContext } from "./probes.ts";

/** A request that shows something about a key. */
interface Probe {
  operation: OperationId;
  path?: Readonly<Record<string, string>>;
  body?: object;
  /** The expected responses; default: any success. */
  expected?: readonly string[];
  /** A response that proves nothing: of two errors, the server may report this one. */
  ambiguous?: string;
}

const lists: Probe = { operation: "listNewsletterLists" };
const me: Probe = { operation: "getMe" };
/** Shows whether a key may look up messages: there is none with this id. */
const message: Probe = {
  operation: "getEmail",
  path: { id: "contract-doctor-none" },
  expected: ["404 not_found"],
};
/** Shows whether a key may change contacts, without changing one: none has this email address. */
const leave: Probe = {
  operation: "unsubscribeContact",
  path: { email: "contract-doctor-none@example.com" },
  body: {},
  expected: ["404 not_found"],
};
const responding = (probe: Probe, ...expected: string[]): Probe => ({ ...probe, expected });

/** The requests that show whether a key fits its role, without changing anything. */
const probes: Record<Role, { requests: readonly Probe[]; beyond?: string }> = {
  full: { requests: [me, lists, { operation: "listCustomFields" }, message] },
  second: { requests: [lists, message] },
  sendOnly: { requests: [message, responding(lists, "403 forbidden")] },
  readOnly: {
    requests: [lists, { ...responding(message, "403 forbidden"), ambiguous: "404 not_found" }],
    beyond: "that it may not send",
  },
  manageOnly: { requests: [leave, responding(lists, "403 forbidden")] },
  restricted: { requests: [message] },
  revoked: { requests: [responding(lists, "401 unauthorized")] },
  replaced: { requests: [me], beyond: "that it was replaced" },
  otherAccount: { requests: [me] },
  noPlan: {
    requests: [me, { ...responding(message, "402 no_plan"), ambiguous: "404 not_found" }],
    beyond: "that it has no plan",
  },
  noNewsletter: { requests: [me, responding(lists, "402 no_plan")] },
  noDomain: { requests: [me], beyond: "that its account has no domain" },
  atCeiling: { requests: [message], beyond: "that its account is at its ceiling" },
  burst: { requests: [me] },
  quota: { requests: [message], beyond: "its monthly allowance" },
};

const others: readonly Role[] = ["otherAccount", "noPlan", "noDomain", "burst", "quota", "atCeiling"];

/** The statuses of a server that lacks an operation, which show nothing about a key. */
const absent: readonly number[] = [404, 405, 501];

/** Probes a key with the operations of these products. */
export async function probeKey(
  { tester, found }: ProbeContext,
  role: Role,
  products: readonly (string | null)[],
): Promise<Finding> {
  const { requests, beyond } = probes[role];
  const own = requests.filter(({ operation }) => products.includes(operations[operation].product));
  const seen: string[] = [];
  const gone: string[] = [];
  let isProven = beyond === undefined;
  for (const { operation, path, body, expected, ambiguous } of own) {
    const exchange = await tester.request(operation, {
      key: role,
      body,
      ...(path !== undefined && { path }),
    });
    const response = responseText(exchange);
    seen.push(`${operation}: ${response}`);
    if (ambiguous !== undefined) isProven = response !== ambiguous;
    if (
      response === ambiguous ||
      (expected === undefined ? isSuccess(exchange) : expected.includes(response))
    )
      continue;
    if (role === "replaced" && exchange.status === 401 && tester.run.offset > 0)
      return unproven(`${operation}: ${response}; its overlap may be over, since the clock was advanced`);
    if (absent.includes(exchange.status)) {
      gone.push(`${operations[operation].method} ${operations[operation].path}`);
      continue;
    }
    const wanted = expected?.join(" or ") ?? "success";
    return wrong(
      `${operation} responds with ${response}, not ${wanted}. Use: ${lower(descriptionOf(`keys.${role}`))}`,
    );
  }
  if (others.includes(role) && found.every.lists.length > 0) {
    const exchange = await tester.request("listNewsletterLists", { key: role });
    if (sharesLists(exchange, found))
      return wrong(
        `It sees the lists of keys.full: both are of one account. Use: ${lower(descriptionOf(`keys.${role}`))}`,
      );
  }
  if (own.length === 0) return unproven("No operation of this profile shows it.");
  const said = seen.join(", ");
  if (role === "full" && gone.length === own.length && gone.length > 0)
    return wrong(`${said}. The server has none of these operations: is baseUrl correct?`);
  if (gone.length > 0) return unproven(`${said}; the server has no ${gone.join(", no ")}`);
  return isProven || beyond === undefined ? ok(said) : unproven(`${said}; only a run shows ${beyond}`);
}

/** Whether a response has a list of the key `full`, by id and name: ids alone may be unique per account only. */
function sharesLists({ json }: Exchange, found: Discovery): boolean {
  const entries = (json as { lists?: unknown } | undefined)?.lists;
  if (!Array.isArray(entries)) return false;
  return entries.some((entry: { id?: unknown; name?: unknown } | null) =>
    found.every.lists.some(({ id, name }) => id === entry?.id && name === entry.name),
  );
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
