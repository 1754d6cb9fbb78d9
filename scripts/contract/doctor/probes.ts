import type { Discovery } from "../../../contract/config/discover.ts";
import type { Need } from "../../../contract/engine/check.ts";
import type { Tester } from "../../../contract/engine/tester.ts";
import { isSuccess } from "../../../contract/exchange.ts";
import { type Finding, ok, rejectedForProduct, responseText, unproven, wrong } from "./finding.ts";
import type { ScheduledProbes } from "./scheduled-probes.ts";

/** What probes share. */
export interface ProbeContext {
  tester: Tester;
  found: Discovery;
  scheduled: ScheduledProbes;
}

/** Probes a fixture. */
export async function probeFixture(look: ProbeContext, need: Need): Promise<Finding> {
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

function probeField({ tester, found }: ProbeContext, type: "text" | "number" | "date" | "url"): Finding {
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
): Promise<Finding> {
  if (tester.settings.keys[key] === undefined) return unproven(`Not checked: it needs keys.${key}.`);
  const kind = operation === "getEmail" ? "message" : "contact";
  return rejectedForProduct(await tester.request(operation, { key, path }), "Looking it up", kind);
}

async function probeContact({ tester }: ProbeContext, state: "cleaned" | "complained"): Promise<Finding> {
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
