import { type Discovery, objectsIn } from "../../contract/config/discover.ts";
import { NotVerified, OutsideRun } from "../../contract/engine/assert.ts";
import type { Need } from "../../contract/engine/check.ts";
import { Unreachable } from "../../contract/engine/http.ts";
import {
  type Fixtures,
  isInRun,
  productsOfProfile,
  type Role,
  type Settings,
} from "../../contract/engine/settings.ts";
import type { Tester } from "../../contract/engine/tester.ts";
import { absent, type Exchange, errorOf, isSuccess, responseText } from "../../contract/exchange.ts";
import { recipientFields } from "../../contract/support/suppressed-recipients.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { firstSentence } from "../../lib/text.ts";
import { NotScheduled, type ScheduledMessages } from "./scheduled-messages.ts";
import { nodeAt } from "./settings-list.ts";

/** `ok`: as far as requests that send nothing can show. `wrong`: it is not what it should be. `unproven`: they cannot show it. */
export interface ProbeResult {
  state: "ok" | "wrong" | "unproven";
  says: string;
}

export const ok = (says: string): ProbeResult => ({ state: "ok", says });
export const wrong = (says: string): ProbeResult => ({ state: "wrong", says });
export const unproven = (says: string): ProbeResult => ({ state: "unproven", says });

export interface ProbeContext {
  tester: Tester;
  found: Discovery;
  messages: ScheduledMessages;
  mayReset: boolean;
}

/** A request that shows something about a setting, without changing anything. */
interface Probe {
  operation: OperationId;
  /** Default: `full`. */
  key?: Role;
  path?: Readonly<Record<string, string>>;
  body?: object;
  /** What a scheduled message has, in place of a body. */
  message?: Record<string, unknown>;
  /** The expected responses; `4xx` is any client error. Default: any success. */
  expected?: readonly string[];
  /** A response that proves nothing: of two errors, the server may report this one. */
  ambiguous?: string;
}

/** The probes of a setting, and what they cannot show. */
interface Probes {
  requests: readonly Probe[];
  beyond?: string | undefined;
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

/** Whether a key fits its role. */
const ofKeys: Record<Role, Probes> = {
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
  otherAccount: { requests: [lists] },
  noPlan: {
    requests: [lists, { ...responding(message, "402 no_plan"), ambiguous: "404 not_found" }],
    beyond: "that it has no plan",
  },
  noNewsletter: { requests: [me, responding(lists, "402 no_plan")] },
  noDomain: { requests: [me], beyond: "that its account has no domain" },
  atCeiling: { requests: [message], beyond: "that its account is at its ceiling" },
  burst: { requests: [me] },
  quota: { requests: [message], beyond: "its monthly allowance" },
};

/** The roles whose account is not that of `keys.full`, although it may have the newsletter. */
const others: readonly Role[] = ["otherAccount", "noPlan", "noDomain", "burst", "quota", "atCeiling"];

const send = (changes: Record<string, unknown>, ...expected: string[]): Probe => ({
  operation: "sendEmail",
  message: changes,
  ...(expected.length > 0 && { expected }),
});

const sendFrom = (domain: string | undefined, ...expected: string[]): Probe =>
  send({ from: `contract@${domain}` }, ...expected);

const sendTemplate = ({ id, variables }: Partial<Fixtures["template"]> = {}, ...expected: string[]): Probe =>
  send(
    { subject: undefined, text: undefined, template_id: id, ...(variables && { variables }) },
    ...expected,
  );

const only = (probe: Probe, beyond?: string): Probes => ({ requests: [probe], beyond });

/** Shows whether an account has an entry that its plan gives no access to. */
const withoutPlan = (operation: OperationId, key: Role, path: Probe["path"] = {}): Probes =>
  only({ operation, key, path, expected: ["402 no_plan"] });

/** Whether a fixture is what it should be. The others are compared with what the account has, or only a run shows them. */
const ofFixtures: Partial<Record<Need, (settings: Settings) => Probes>> = {
  "domains.verified": () => only(send({})),
  "domains.restricted": ({ keys, fixtures: { domains } }) =>
    only({ ...sendFrom(domains?.restricted), key: keys.restricted ? "restricted" : "full" }),
  "domains.unfinished": ({ fixtures: { domains } }) =>
    only(sendFrom(domains?.unfinished, "409 send_rejected")),
  "domains.stopped": ({ fixtures: { domains } }) => only(sendFrom(domains?.stopped, "409 send_rejected")),
  template: ({ fixtures: { template } }) => only(sendTemplate(template)),
  unpublishedTemplate: ({ fixtures: { unpublishedTemplate } }) =>
    only(sendTemplate(unpublishedTemplate, "4xx"), "whether the account has this template"),
  suppressed: ({ fixtures: { suppressed = [] } }) => ({
    requests: suppressed.map((address) => send({ to: [address] }, "422 send_rejected")),
    beyond:
      suppressed.length < recipientFields.length
        ? "what is rejected in to, cc and bcc: fewer than three cannot show all of it"
        : undefined,
  }),
  attachmentLink: ({ fixtures: { attachmentLink } }) =>
    only(send({ attachments: [{ filename: "contract.txt", path: attachmentLink }] })),
  "contacts.noNewsletter": ({ fixtures: { contacts } }) =>
    withoutPlan("getContact", "noNewsletter", { email: contacts?.noNewsletter?.email ?? "" }),
  "messages.noPlan": ({ fixtures: { messages } }) =>
    withoutPlan("getEmail", "noPlan", { id: messages?.noPlan ?? "" }),
};

/** A message from the domain of an account other than that of `keys.full`. */
function ofDomain(role: Role, { fixtures: { domains } }: Settings): Probes {
  const from = { ...sendFrom(domains?.ofRole?.[role]), key: role };
  if (role === "noPlan") return only(responding(from, "402 no_plan"));
  if (role !== "atCeiling") return only(from);
  // It may have a message left.
  const full = { ...responding(from, "429 send_rejected"), ambiguous: "202" };
  return only(full, "that its account is at its ceiling");
}

/** Probes a setting. A request without a response makes it wrong. */
export async function probe(look: ProbeContext, need: Need): Promise<ProbeResult> {
  const { settings } = look.tester;
  const [section, name = "", role] = need.split(".");
  try {
    const areUnknown =
      !isInRun(settings, "listNewsletterLists") || "listNewsletterLists" in look.found.rejections;
    if (areUnknown && (need === "lists.plain" || need === "lists.second"))
      return await probeByContact(look, need);
    if (section === "lists") assertThere(settings, "listNewsletterLists");
    if (section === "fields" || need === "manyFields") assertThere(settings, "listCustomFields");
    if (section === "lists") return probeList(look, name as "plain");
    if (section === "fields") return probeField(look, name as "text");
    if (need === "manyFields") return probeManyFields(look);
    if (need === "contacts.cleaned" || need === "contacts.complained")
      return await probeContact(look, name as "cleaned");
    if (section === "keys") return await probeKey(look, name as Role);
    const probes = role === undefined ? ofFixtures[need]?.(settings) : ofDomain(role as Role, settings);
    return probes === undefined
      ? unproven("Not checked: only a run shows it.")
      : await probeAll(look, need, probes);
  } catch (error) {
    return resultOf(error);
  }
}

/** What an error in a probe shows. */
export function resultOf(error: unknown): ProbeResult {
  if (error instanceof Unreachable) return wrong(error.message);
  if (error instanceof NotVerified || error instanceof NotScheduled)
    return unproven(`Not checked: ${error.message}`);
  throw error;
}

/** The first sentence of its description. */
const instead = (need: string): string =>
  `Use: ${firstSentence(nodeAt(need).description).replace(/^./, (letter) => letter.toLowerCase())}`;

/** What the account has is unknown without the operation that lists it. */
function assertThere(settings: Settings, operation: OperationId): void {
  if (!isInRun(settings, operation)) throw new OutsideRun(operation);
}

async function probeKey(look: ProbeContext, role: Role): Promise<ProbeResult> {
  const { tester, found } = look;
  const { requests, beyond } = ofKeys[role];
  const products = productsOfProfile(tester.settings.profile);
  const own = requests
    .filter(({ operation }) => products.includes(operations[operation].product))
    .filter(({ operation }) => isInRun(tester.settings, operation))
    .map((one) => ({ ...one, key: role }));
  if (own.length === 0) return unproven("No operation of this profile shows it.");
  const result = await probeAll(look, `keys.${role}`, { requests: own, beyond });
  if (result.state === "wrong" || !others.includes(role) || found.lists.length === 0) return result;
  return sharesLists(await tester.request("listNewsletterLists", { key: role }), found)
    ? wrong(`It sees the lists of keys.full: both are of one account. ${instead(`keys.${role}`)}`)
    : result;
}

/** Sends the requests one by one, and compares each response with the expected ones. */
async function probeAll(look: ProbeContext, need: Need, { requests, beyond }: Probes): Promise<ProbeResult> {
  const { tester, messages } = look;
  const seen: string[] = [];
  const gone: string[] = [];
  let isProven = beyond === undefined;
  for (const { operation, key = "full", path, body, message: changes, expected, ambiguous } of requests) {
    const exchange =
      changes === undefined
        ? await tester.request(operation, { key, body, ...(path !== undefined && { path }) })
        : await messages.schedule(changes, key);
    const response = responseText(exchange);
    seen.push(`${operation}: ${response}`);
    if (ambiguous !== undefined) isProven = response !== ambiguous;
    if (response === ambiguous || isExpected(exchange, expected)) continue;
    if (key === "replaced" && exchange.status === 401 && tester.run.offset > 0)
      return unproven(`${operation}: ${response}; its overlap may be over, since the clock was advanced`);
    if (changes === undefined && absent.includes(exchange.status) && need.startsWith("keys.")) {
      gone.push(`${operations[operation].method} ${operations[operation].path}`);
      continue;
    }
    const detail = changes && errorOf(exchange)?.message;
    const says = detail === undefined ? "" : ` (${String(detail).replace(/\.$/, "")})`;
    const wanted = expected?.join(" or ") ?? "success";
    return wrong(`${operation} responds with ${response}${says}, not ${wanted}. ${instead(need)}`);
  }
  const said = [...new Set(seen)].join(", ");
  if (need === "keys.full" && gone.length === requests.length)
    return wrong(`${said}. The server has none of these operations: is baseUrl correct?`);
  if (gone.length > 0) return unproven(`${said}; the server has no ${gone.join(", no ")}`);
  return isProven ? ok(said) : unproven(`${said}; only a run shows ${beyond}`);
}

const isExpected = (exchange: Exchange, expected?: readonly string[]): boolean =>
  expected === undefined
    ? isSuccess(exchange)
    : expected.includes(responseText(exchange)) ||
      (expected.includes("4xx") && exchange.status >= 400 && exchange.status < 500);

/** Whether a response has a list of the key `full`, by id and name: ids alone may be unique per account only. */
const sharesLists = ({ json }: Exchange, found: Discovery): boolean =>
  objectsIn(json, "lists").some((one) =>
    found.lists.some(({ id, name }) => id === one.id && name === one.name),
  );

function probeList({ tester, found }: ProbeContext, name: keyof NonNullable<Fixtures["lists"]>): ProbeResult {
  const list = found.lists.find((one) => one.id === tester.settings.fixtures.lists?.[name]);
  if (name === "otherAccount")
    return list === undefined
      ? ok("not a list of the account itself")
      : wrong("It is a list of the account itself. Use one of another account.");
  const kind = (isDoubleOptIn: boolean): string => `${isDoubleOptIn ? "with" : "without"} double opt-in`;
  const isDoubleOptIn = name === "doubleOptIn";
  if (list?.isDoubleOptIn === isDoubleOptIn) return ok(`"${list.name}", ${kind(isDoubleOptIn)}`);
  const all = found.lists.map((one) => `${one.id} (${kind(one.isDoubleOptIn)})`).join(", ") || "none";
  const what =
    list === undefined ? "The account has no such list." : `"${list.name}" is ${kind(!isDoubleOptIn)}.`;
  return rejectedOr(found, "listNewsletterLists", `${what} It has ${all}.`);
}

/** Without the lists of the account, whether this one takes a contact, which then leaves it. */
async function probeByContact({ tester }: ProbeContext, need: "lists.plain" | "lists.second") {
  const { contactDomain = "example.com", lists = {} } = tester.settings.fixtures;
  const email = `contract-doctor-${tester.run.unique()}@${contactDomain}`;
  const list_id = need === "lists.plain" ? lists.plain : lists.second;
  const added = await tester.request("upsertContact", { body: { email, list_id } });
  const said = `upsertContact: ${responseText(added)}`;
  if (added.status === 404) return wrong(`${said}. The account has no such list. ${instead(need)}`);
  if (!isSuccess(added)) return unproven(said);
  if (isInRun(tester.settings, "unsubscribeContact"))
    await tester.request("unsubscribeContact", { path: { email }, body: {} });
  return Object(added.json).status === "pending"
    ? wrong(`${said} with the status pending. ${instead(need)}`)
    : ok(said);
}

function probeField({ tester, found }: ProbeContext, type: keyof NonNullable<Fixtures["fields"]>) {
  const field = found.fields.find((one) => one.key === tester.settings.fixtures.fields?.[type]);
  if (field?.type === type) return ok(`"${field.label}", of type ${type}`);
  const fit = found.fields.filter((one) => one.type === type).map((one) => one.key);
  const first = fit.slice(0, 5).join(", ") || "none";
  const what = field === undefined ? "There is no such field." : `It is of type ${field.type}.`;
  return rejectedOr(found, "listCustomFields", `${what} Fields of this type: ${first}.`);
}

function probeManyFields({ tester, found }: ProbeContext): ProbeResult {
  const { manyFields = [] } = tester.settings.fixtures;
  const others = manyFields.filter((key) =>
    found.fields.every((field) => field.key !== key || field.type === "number"),
  );
  return others.length === 0
    ? ok(`${manyFields.length} custom fields of type text, date or url`)
    : rejectedOr(found, "listCustomFields", `Not of type text, date or url: ${others.join(", ")}.`);
}

/** What the account has is unknown if the operation was rejected. */
function rejectedOr({ rejections }: Discovery, operation: OperationId, says: string): ProbeResult {
  const rejection = rejections[operation];
  const said = rejection ? `responds with ${responseText(rejection)}` : "got no response";
  return operation in rejections ? unproven(`Unknown: ${operation} ${said}.`) : wrong(says);
}

async function probeContact({ tester }: ProbeContext, state: "cleaned" | "complained"): Promise<ProbeResult> {
  const contact = tester.settings.fixtures.contacts?.[state];
  const exchange = await tester.request("getContact", { path: { email: contact?.email ?? "" } });
  if (!isSuccess(exchange))
    return wrong(
      `getContact responds with ${responseText(exchange)}, not success. Use a contact that exists.`,
    );
  const found = objectsIn(exchange.json, "lists").find((one) => one.list_id === contact?.list)?.status;
  if (found === state) return ok(`${state} on the list`);
  return wrong(
    found === undefined
      ? "It is not on that list. Use a list that it is on."
      : `It is ${String(found)} on the list. An earlier run may have unsubscribed it: restore it, or use another.`,
  );
}
