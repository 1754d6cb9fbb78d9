import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Need } from "../engine/check.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Discovery } from "./discover.ts";
import type { Trials } from "./scheduled.ts";

/**
 * What a look at a setting found. `ok`: it is what it should be, as far as calls can tell that send nothing. `wrong`: it is not.
 * `unproven`: only a run shows it.
 */
export interface Finding {
  state: "ok" | "wrong" | "unproven";
  /** What was seen, or what is wrong. */
  says: string;
}

/** What probes look with. */
export interface Look {
  tester: Tester;
  found: Discovery;
  /** What each thing should be, in the words of the schema. */
  descriptionOf(need: Need): string;
  trials: Trials;
}

const ok = (says: string): Finding => ({ state: "ok", says });
const wrong = (says: string): Finding => ({ state: "wrong", says });
const unproven = (says: string): Finding => ({ state: "unproven", says });

/** An answer in words: `403 forbidden`. */
export const answerOf = (exchange: Exchange): string =>
  [exchange.status, errorOf(exchange)?.type].filter((part) => part !== undefined).join(" ");

/** One call that shows something of a key, and what it must be answered; success where nothing is named. */
interface Sign {
  operation: OperationId;
  part?: string;
  answers?: readonly string[];
  /** An answer that may be right and proves nothing: of two faults, the server may tell this one. */
  doubt?: string;
}

const lists: Sign = { operation: "listNewsletterLists" };
const me: Sign = { operation: "getMe" };
/** Which says whether a key may look messages up: there is none of this id, and nothing else is wrong with the call. */
const message: Sign = { operation: "getEmail", part: "contract-doctor-none", answers: ["404 not_found"] };
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
  manageOnly: { calls: [me, answered(lists, "403 forbidden")], beyond: "that it may change contacts" },
  restricted: { calls: [message] },
  revoked: { calls: [answered(lists, "401 unauthorized")] },
  replaced: { calls: [me], beyond: "that it was replaced" },
  otherAccount: { calls: [me] },
  noPlan: {
    calls: [me, { ...answered(message, "402 no_plan"), doubt: "404 not_found" }],
    beyond: "that it has no plan",
  },
  noNewsletter: { calls: [me, answered(lists, "402 no_plan")] },
  noDomain: { calls: [message], beyond: "that its account has no domain" },
  atCeiling: { calls: [message], beyond: "that its account is at its ceiling" },
  burst: { calls: [me] },
  quota: { calls: [message], beyond: "its monthly allowance" },
};

const others: readonly Role[] = ["otherAccount", "noPlan", "noDomain", "burst", "quota", "atCeiling"];

/** Looks at a key. The products are those that the run is about: calls of others are not made. */
export async function lookAtKey(
  { tester, found, descriptionOf }: Look,
  role: Role,
  products: readonly (string | null)[],
): Promise<Finding> {
  const { calls, beyond } = signs[role];
  const own = calls.filter(({ operation }) => products.includes(operations[operation].product));
  const seen: string[] = [];
  let isProven = beyond === undefined;
  for (const { operation, part, answers, doubt } of own) {
    const exchange = await tester.ask(operation, { key: role, ...(part !== undefined && { part }) });
    const answer = answerOf(exchange);
    seen.push(`${operation}: ${answer}`);
    if (doubt !== undefined) isProven = answer !== doubt;
    if (answer === doubt || (answers === undefined ? isSuccess(exchange) : answers.includes(answer)))
      continue;
    const wanted = answers?.join(" or ") ?? "success";
    return wrong(
      `${operation} is answered ${answer}, not ${wanted}. Give: ${lower(descriptionOf(`keys.${role}`))}`,
    );
  }
  if (others.includes(role) && found.every.lists.length > 0) {
    const exchange = await tester.ask("listNewsletterLists", { key: role });
    if (sharesLists(exchange, found))
      return wrong(
        `It sees the lists of keys.full: both are of one account. Give: ${lower(descriptionOf(`keys.${role}`))}`,
      );
  }
  if (own.length === 0) return unproven("This profile has no call that shows what it is.");
  const said = seen.join(", ");
  return isProven || beyond === undefined ? ok(said) : unproven(`${said}; only a run shows ${beyond}`);
}

function sharesLists({ json }: Exchange, found: Discovery): boolean {
  const entries = (json as { lists?: unknown } | undefined)?.lists;
  if (!Array.isArray(entries)) return false;
  return entries.some((entry: unknown) =>
    found.every.lists.some(({ id }) => id === (entry as { id?: unknown } | null)?.id),
  );
}

/** A sentence's beginning within another. */
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Looks at everything but keys and hooks. */
export async function lookAt(look: Look, need: Need): Promise<Finding> {
  const [section, name = ""] = need.split(".");
  const { fixtures } = look.tester.settings;
  switch (section) {
    case "lists":
      return lookAtList(look, name as "plain");
    case "fields":
      return lookAtField(look, name as "text");
    case "contacts":
      return lookAtContact(look, name as "cleaned");
    case "domains":
      return look.trials.ofDomain(name as "verified");
    case "template":
      return look.trials.ofTemplate();
    case "suppressed":
      return look.trials.ofSuppressed(fixtures.suppressed ?? []);
    case "attachmentLink":
      return look.trials.ofAttachment();
    default:
      return unproven("Taken as it is: only a run shows it.");
  }
}

async function lookAtList(
  { tester, found }: Look,
  name: "plain" | "second" | "doubleOptIn" | "otherAccount",
) {
  const { settings } = tester;
  const id = settings.fixtures.lists?.[name];
  const list = found.every.lists.find((one) => one.id === id);
  if (name === "otherAccount") {
    if (list !== undefined) return wrong("It is a list of the account itself. Give one of another account.");
    if (settings.keys.otherAccount === undefined) return ok("not a list of the account itself");
    const { json } = await tester.ask("listNewsletterLists", { key: "otherAccount" });
    const entries = (json as { lists?: { id?: unknown }[] } | undefined)?.lists ?? [];
    return entries.some((entry) => entry.id === id)
      ? ok("a list of the account of keys.otherAccount")
      : wrong("The account of keys.otherAccount has no such list. Give one that it has.");
  }
  if (list === undefined) return wrong(`The account has no such list. ${namesOf(found)}`);
  const asks = name === "doubleOptIn";
  return list.asks === asks
    ? ok(`"${list.name}", ${asks ? "with" : "without"} double opt-in`)
    : wrong(`"${list.name}" is ${asks ? "without" : "with"} double opt-in. ${namesOf(found)}`);
}

const namesOf = ({ every }: Discovery): string =>
  every.lists.length === 0
    ? "It has none."
    : `It has ${every.lists.map(({ id, asks }) => `${id} (${asks ? "with" : "without"} double opt-in)`).join(", ")}.`;

function lookAtField({ tester, found }: Look, type: "text" | "number" | "date" | "url"): Finding {
  const key = tester.settings.fixtures.fields?.[type];
  const field = found.every.fields.find((one) => one.key === key);
  if (field?.type === type) return ok(`"${field.label}", of the type ${type}`);
  const fit = found.every.fields.filter((one) => one.type === type).map((one) => one.key);
  const instead =
    fit.length === 0 ? "Take the line out: it has none." : `Of this type are ${fit.slice(0, 5).join(", ")}.`;
  return wrong(
    field === undefined
      ? `There is no such field. ${instead}`
      : `It is of the type ${field.type}. ${instead}`,
  );
}

async function lookAtContact({ tester }: Look, state: "cleaned" | "complained"): Promise<Finding> {
  const contact = tester.settings.fixtures.contacts?.[state];
  const exchange = await tester.ask("getContact", { part: contact?.email ?? "" });
  if (!isSuccess(exchange))
    return wrong(`Looking it up is answered ${answerOf(exchange)}. Give a contact that is there.`);
  const memberships = (exchange.json as { lists?: { list_id?: unknown; status?: unknown }[] } | undefined)
    ?.lists;
  const found = memberships?.find((one) => one.list_id === contact?.list)?.status;
  if (found === state) return ok(`${state} on the list`);
  return wrong(
    found === undefined
      ? "It is not on that list. Give a list that it is on."
      : `It is ${String(found)} there. An earlier run may have unsubscribed it: put it back, or give another.`,
  );
}
