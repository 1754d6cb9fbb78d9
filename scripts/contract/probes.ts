import type { Discovery } from "../../contract/config/discover.ts";
import type { Need } from "../../contract/engine/check.ts";
import type { Role } from "../../contract/engine/settings.ts";
import type { Tester } from "../../contract/engine/tester.ts";
import { type Exchange, isSuccess } from "../../contract/exchange.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import {
  ok,
  type ProbeResult,
  rejectedForProduct,
  responseText,
  type ScheduledProbes,
  unproven,
  wrong,
} from "./scheduled-probes.ts";
import { descriptionOf } from "./settings-list.ts";

/** What probes share. */
export interface ProbeContext {
  tester: Tester;
  found: Discovery;
  scheduled: ScheduledProbes;
}

/** Probes a fixture. */
export async function probeFixture(look: ProbeContext, need: Need): Promise<ProbeResult> {
  const [section, name = ""] = need.split(".");
  const { fixtures } = look.tester.settings;
  switch (section) {
    case "lists":
      return probeList(look, name as "plain");
    case "fields":
      return probeField(look, name as "text");
    case "contacts":
      return name === "noNewsletter"
        ? probeOwned(look, "noNewsletter", "getContact", {
            email: fixtures.contacts?.noNewsletter?.email ?? "",
          })
        : probeContact(look, name as "cleaned");
    case "messages":
      return probeOwned(look, "noPlan", "getEmail", { id: fixtures.messages?.noPlan ?? "" });
    case "domains":
      return look.scheduled.ofDomain(name as "verified");
    case "template":
    case "unpublishedTemplate":
      return look.scheduled.ofTemplate(section);
    case "suppressed":
      return look.scheduled.ofSuppressed(fixtures.suppressed ?? []);
    case "attachmentLink":
      return look.scheduled.ofAttachment();
    default:
      return unproven("Not checked: only a run shows it.");
  }
}

async function probeList(
  { tester, found }: ProbeContext,
  name: "plain" | "second" | "doubleOptIn" | "otherAccount",
) {
  const { settings } = tester;
  const id = settings.fixtures.lists?.[name];
  const list = found.every.lists.find((one) => one.id === id);
  if (name === "otherAccount") {
    if (list !== undefined) return wrong("It is a list of the account itself. Use one of another account.");
    if (settings.keys.otherAccount === undefined) return ok("not a list of the account itself");
    const exchange = await tester.request("listNewsletterLists", { key: "otherAccount" });
    if (!isSuccess(exchange))
      return unproven(`Unknown: the lists of that account respond with ${responseText(exchange)}.`);
    const entries = (exchange.json as { lists?: { id?: unknown }[] } | undefined)?.lists ?? [];
    return entries.some((entry) => entry.id === id)
      ? ok("a list of the account of keys.otherAccount")
      : wrong("The account of keys.otherAccount has no such list. Use one that it has.");
  }
  if (list === undefined) {
    const rejection = found.rejections.listNewsletterLists;
    if (rejection !== undefined) return unproven(`Unknown: lists respond with ${rejection}.`);
    return wrong(`The account has no such list. ${namesOf(found)}`);
  }
  const isDoubleOptIn = name === "doubleOptIn";
  return list.isDoubleOptIn === isDoubleOptIn
    ? ok(`"${list.name}", ${isDoubleOptIn ? "with" : "without"} double opt-in`)
    : wrong(`"${list.name}" is ${isDoubleOptIn ? "without" : "with"} double opt-in. ${namesOf(found)}`);
}

const namesOf = ({ every }: Discovery): string =>
  every.lists.length === 0
    ? "It has none."
    : `It has ${every.lists.map(({ id, isDoubleOptIn }) => `${id} (${isDoubleOptIn ? "with" : "without"} double opt-in)`).join(", ")}.`;

function probeField({ tester, found }: ProbeContext, type: "text" | "number" | "date" | "url"): ProbeResult {
  const key = tester.settings.fixtures.fields?.[type];
  const field = found.every.fields.find((one) => one.key === key);
  const rejection = found.rejections.listCustomFields;
  if (field === undefined && rejection !== undefined)
    return unproven(`Unknown: fields respond with ${rejection}.`);
  if (field?.type === type) return ok(`"${field.label}", of type ${type}`);
  const fit = found.every.fields.filter((one) => one.type === type).map((one) => one.key);
  const instead =
    fit.length === 0
      ? "Remove the line: the account has none."
      : `Fields of this type: ${fit.slice(0, 5).join(", ")}.`;
  return wrong(
    field === undefined ? `There is no such field. ${instead}` : `It is of type ${field.type}. ${instead}`,
  );
}

/** Looks up something of an account without the product. */
async function probeOwned(
  { tester }: ProbeContext,
  key: "noPlan" | "noNewsletter",
  operation: "getEmail" | "getContact",
  path: Record<string, string>,
): Promise<ProbeResult> {
  if (tester.settings.keys[key] === undefined) return unproven(`Not checked: it needs keys.${key}.`);
  const kind = operation === "getEmail" ? "message" : "contact";
  return rejectedForProduct(await tester.request(operation, { key, path }), "Looking it up", kind);
}

async function probeContact({ tester }: ProbeContext, state: "cleaned" | "complained"): Promise<ProbeResult> {
  const contact = tester.settings.fixtures.contacts?.[state];
  const exchange = await tester.request("getContact", { path: { email: contact?.email ?? "" } });
  if (!isSuccess(exchange))
    return wrong(`Looking it up responds with ${responseText(exchange)}. Use a contact that exists.`);
  const memberships = (exchange.json as { lists?: { list_id?: unknown; status?: unknown }[] } | undefined)
    ?.lists;
  const found = memberships?.find((one) => one.list_id === contact?.list)?.status;
  if (found === state) return ok(`${state} on the list`);
  return wrong(
    found === undefined
      ? "It is not on that list. Use a list that it is on."
      : `It is ${String(found)} on the list. An earlier run may have unsubscribed it: restore it, or use another.`,
  );
}

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
): Promise<ProbeResult> {
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
