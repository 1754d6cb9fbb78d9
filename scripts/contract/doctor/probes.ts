import type { Discovery } from "../../../test/contract/config/discover.ts";
import type { Need } from "../../../test/contract/engine/check.ts";
import type { Tester } from "../../../test/contract/engine/tester.ts";
import { isSuccess } from "../../../test/contract/exchange.ts";
import { type Finding, ok, responseText, unproven, wrong } from "./finding.ts";
import type { ScheduledProbes } from "./scheduled-probes.ts";

/** What probes look with. */
export interface ProbeContext {
  tester: Tester;
  found: Discovery;
  /** What each thing should be, in the words of the schema. */
  descriptionOf(need: Need): string;
  scheduled: ScheduledProbes;
}

/** Looks at everything but keys and hooks. */
export async function probeFixture(look: ProbeContext, need: Need): Promise<Finding> {
  const [section, name = ""] = need.split(".");
  const { fixtures } = look.tester.settings;
  switch (section) {
    case "lists":
      return probeList(look, name as "plain");
    case "fields":
      return probeField(look, name as "text");
    case "contacts":
      return probeContact(look, name as "cleaned");
    case "domains":
      return look.scheduled.ofDomain(name as "verified");
    case "template":
      return look.scheduled.ofTemplate();
    case "suppressed":
      return look.scheduled.ofSuppressed(fixtures.suppressed ?? []);
    case "attachmentLink":
      return look.scheduled.ofAttachment();
    default:
      return unproven("Taken as it is: only a run shows it.");
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
    if (list !== undefined) return wrong("It is a list of the account itself. Give one of another account.");
    if (settings.keys.otherAccount === undefined) return ok("not a list of the account itself");
    const exchange = await tester.request("listNewsletterLists", { key: "otherAccount" });
    if (!isSuccess(exchange))
      return unproven(`Nobody knows: that account's lists are answered ${responseText(exchange)}.`);
    const entries = (exchange.json as { lists?: { id?: unknown }[] } | undefined)?.lists ?? [];
    return entries.some((entry) => entry.id === id)
      ? ok("a list of the account of keys.otherAccount")
      : wrong("The account of keys.otherAccount has no such list. Give one that it has.");
  }
  if (list === undefined) {
    const refusal = found.rejections.listNewsletterLists;
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

function probeField({ tester, found }: ProbeContext, type: "text" | "number" | "date" | "url"): Finding {
  const key = tester.settings.fixtures.fields?.[type];
  const field = found.every.fields.find((one) => one.key === key);
  const refusal = found.rejections.listCustomFields;
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

async function probeContact({ tester }: ProbeContext, state: "cleaned" | "complained"): Promise<Finding> {
  const contact = tester.settings.fixtures.contacts?.[state];
  const exchange = await tester.request("getContact", { path: { email: contact?.email ?? "" } });
  if (!isSuccess(exchange))
    return wrong(`Looking it up is answered ${responseText(exchange)}. Give a contact that is there.`);
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
