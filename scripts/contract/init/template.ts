import type { Environment } from "../../../contract/config/config.ts";
import type { Discovery } from "../../../contract/config/discover.ts";
import { defaultVariable } from "../../../contract/config/load.ts";
import { requirementsByNeed } from "../../../contract/config/needs.ts";
import type { Need } from "../../../contract/engine/check.ts";
import {
  defaultDeadlines,
  profiles,
  type Role,
  roles,
  type Settings,
} from "../../../contract/engine/settings.ts";
import { allSettings, descriptionOf, type Setting } from "../settings-list.ts";
import { type Line, type Part, yamlOf } from "./write-yaml.ts";

/** Example values of the settings. */
const examples: Partial<Record<Need, unknown>> = {
  simulatorDomain: "simulator.example.com",
  "domains.verified": "mail.example.com",
  "domains.restricted": "shop.example.com",
  "domains.unfinished": "unfinished.example.com",
  "domains.stopped": "stopped.example.com",
  "lists.plain": 1,
  "lists.second": 2,
  "lists.doubleOptIn": 3,
  "lists.otherAccount": 4,
  "fields.text": "city",
  "fields.number": "orders",
  "fields.date": "birthday",
  "fields.url": "website",
  template: { id: "order-ready", variables: { name: "Ada", order: "1042" } },
  unpublishedTemplate: { id: "draft", variables: { name: "Ada" } },
  suppressed: ["bounced@example.com", "complained@example.com", "left@example.com"],
  "contacts.cleaned": { email: "cleaned@example.com", list: 1 },
  "contacts.complained": { email: "complained@example.com", list: 1 },
  "contacts.noNewsletter": { email: "contact@example.com", list: 5 },
  "messages.noPlan": "sched_1042",
  recipientDomain: "inbox.example.com",
  contactDomain: "inbox.example.com",
  attachmentLink: "https://files.example.com/terms.pdf",
  attachmentHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  mailbox: { smtp: 2525 },
  pages: { path: "/api/v1/domains" },
  "hooks.advanceClock": {
    url: "/test/clock",
    headers: { authorization: { env: "CONTRACT_HOOK_TOKEN" } },
    body: { seconds: "{seconds}" },
  },
  "hooks.confirm": { url: "/test/confirm", body: { email: "{email}", list: "{list}" } },
  "hooks.suppress": { url: "/test/suppress", body: { email: "{email}" } },
  "hooks.reset": { url: "/test/reset" },
  "hooks.failNext": { url: "/test/failures", body: { failure: "{failure}", requests: "{requests}" } },
};

const top = `# The configuration of the contract suite for one server. Uncomment the settings
# that your server has; checks whose settings are missing are not verified.
# Do not write secrets here: API keys come from environment variables.
#
# \`email-api-contract contract doctor\` checks it, and prints what a run sends.
#
# yaml-language-server: $schema=./node_modules/email-api-contract/contract/config/contract.schema.json

`;

/** A configuration in YAML: known settings, and all others commented out, each with its description. */
export function templateOf(settings: Settings, { every }: Discovery, env: Environment): string {
  const { baseUrl, keys, fixtures, profile } = settings;
  const have = { ...fixtures, keys } as Record<string, unknown>;
  const byNeed = requirementsByNeed();
  const notes = new Map<Need, string>();
  for (const [name, id] of Object.entries(fixtures.lists ?? {}))
    notes.set(`lists.${name}` as Need, every.lists.find((list) => list.id === id)?.name ?? "");
  for (const [type, key] of Object.entries(fixtures.fields ?? {}))
    notes.set(`fields.${type}` as Need, every.fields.find((field) => field.key === key)?.label ?? "");

  const lineOf = (need: Need, description: string): Line => {
    const [section = "", inner] = need.split(".");
    const role = section === "keys" ? (inner as Role) : undefined;
    const found =
      inner === undefined ? have[section] : (have[section] as Record<string, unknown> | undefined)?.[inner];
    const example = role === undefined ? examples[need] : defaultVariable(role, env);
    const count = byNeed.get(need)?.size ?? 0;
    const number =
      need === "keys.full" || count === 0 ? "" : ` Needed for ${count} requirement${count === 1 ? "" : "s"}.`;
    const note = notes.get(need);
    return {
      name: inner ?? section,
      comment: description + number,
      value: role === undefined ? (found ?? example) : example,
      isSet: found !== undefined,
      ...(note && { note }),
    };
  };
  const ordered = byImportance(byNeed);
  const names = [...new Set(ordered.map(({ need }) => need.split(".")[0] ?? ""))];
  const fixtureParts = names.map((name): Part => {
    const lines = ordered
      .filter(({ need }) => need.split(".")[0] === name)
      .map(({ need, description }) => lineOf(need, description));
    const [single] = lines;
    if (single !== undefined && single.name === name) return single;
    const ofRole = name === "domains" ? [domainsOfRoles()] : [];
    return { name, comment: descriptionOf(name), lines: [...lines, ...ofRole] };
  });
  return `${top}${yamlOf([
    { name: "baseUrl", comment: descriptionOf("baseUrl"), value: baseUrl, isSet: true },
    {
      name: "profile",
      comment: descriptionOf("profile"),
      value: profile,
      isSet: true,
      note: profiles.join(", "),
    },
    { name: "without", comment: descriptionOf("without"), value: ["slow", "burst"], isSet: false },
    ...fixtureParts,
    {
      name: "attachmentServer",
      comment: descriptionOf("attachmentServer"),
      value: { port: 8089, url: "https://contract.example.com" },
      isSet: false,
    },
    { name: "deadlines", comment: descriptionOf("deadlines"), value: defaultDeadlines, isSet: false },
    {
      name: "expectedFailures",
      comment: descriptionOf("expectedFailures"),
      value: "expected-failures.yaml",
      isSet: false,
    },
  ])}\n`;
}

/** The settings that most requirements need first: a section stands where its most important setting does, `keys.full` before other keys. */
function byImportance(byNeed: ReadonlyMap<Need, ReadonlySet<string>>): Setting[] {
  const weight = ({ need }: Setting): number => byNeed.get(need)?.size ?? 0;
  const [full, others] = [true, false].map((isFull) =>
    allSettings.filter(({ need }) => (need === "keys.full") === isFull),
  ) as [Setting[], Setting[]];
  const ordered = others.toSorted((one, other) => weight(other) - weight(one));
  const firstKey = ordered.findIndex(({ need }) => need.startsWith("keys."));
  return ordered.toSpliced(firstKey, 0, ...full);
}

const domainsOfRoles = (): Line => ({
  name: "ofRole",
  comment: "A verified domain of each other account, by the role of its key.",
  value: Object.fromEntries(
    roles
      .filter((role) => ["otherAccount", "noPlan", "atCeiling", "burst", "quota"].includes(role))
      .map((role) => [role, `${role.toLowerCase()}.example.com`]),
  ),
  isSet: false,
});
