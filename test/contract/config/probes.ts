import type { Need } from "../engine/check.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
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

export const ok = (says: string): Finding => ({ state: "ok", says });
export const wrong = (says: string): Finding => ({ state: "wrong", says });
export const unproven = (says: string): Finding => ({ state: "unproven", says });

/** An answer in words: `403 forbidden`. */
export const answerOf = (exchange: Exchange): string =>
  [exchange.status, errorOf(exchange)?.type].filter((part) => part !== undefined).join(" ");

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
    const exchange = await tester.request("listNewsletterLists", { key: "otherAccount" });
    if (!isSuccess(exchange))
      return unproven(`Nobody knows: that account's lists are answered ${answerOf(exchange)}.`);
    const entries = (exchange.json as { lists?: { id?: unknown }[] } | undefined)?.lists ?? [];
    return entries.some((entry) => entry.id === id)
      ? ok("a list of the account of keys.otherAccount")
      : wrong("The account of keys.otherAccount has no such list. Give one that it has.");
  }
  if (list === undefined) {
    const refusal = found.refusals.listNewsletterLists;
    if (refusal !== undefined) return unproven(`Nobody knows: lists are answered ${refusal}.`);
    return wrong(`The account has no such list. ${namesOf(found)}`);
  }
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
  const refusal = found.refusals.listCustomFields;
  if (field === undefined && refusal !== undefined)
    return unproven(`Nobody knows: fields are answered ${refusal}.`);
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
  const exchange = await tester.request("getContact", { path: { email: contact?.email ?? "" } });
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
