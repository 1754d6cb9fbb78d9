import { settingsFrom, variableOf } from "../../contract/config/load.ts";
import type { Mailbox } from "../../contract/engine/run.ts";
import { type Profile, type Role, roles, type Settings } from "../../contract/engine/settings.ts";
import { limits } from "../../generated/limits.ts";
import { mapValues } from "../../lib/objects.ts";
import packageJson from "../../package.json" with { type: "json" };
import type { SandboxOptions, Seed } from "../../sandbox/index.ts";
import demo from "../../sandbox/seed/demo.json" with { type: "json" };
import { startInThread } from "../common/thread.ts";
import type { Mock } from "../mock/prism.ts";
import sandboxConfig from "./sandbox.config.json" with { type: "json" };

export type TargetName = "sandbox" | "mock";

/** A started server with the settings to test it. */
export interface Target {
  settings: Settings;
  /** Where the mail of the server arrives. */
  mailbox?: Mailbox;
  close(): Promise<void>;
}

/**
 * Starts the sandbox or the mock on a free port.
 * @param options.profile of the sandbox; default: `full`. The mock has its own, `mock`
 * @param options.mock a mock that runs already
 * @param options.hasMail whether a mailbox is opened that the sandbox sends its mail to
 */
export const startTarget = (
  name: TargetName,
  options: { profile?: Profile | undefined; mock?: Mock | undefined; hasMail?: boolean } = {},
): Promise<Target> =>
  name === "mock" ? startMockTarget(options.mock) : startSandboxTarget(options.profile, options.hasMail);

async function startMockTarget(running?: Mock): Promise<Target> {
  const { startMock } = await import("../mock/prism.ts");
  const { url, close } = running ?? (await startMock());
  return { settings: settingsFor(url, "mock", { full: "contract-suite-key" }), close };
}

/** The demo key of each role, as `account.key`. */
const demoKeys: Record<Role, string> = {
  full: "bakery.all",
  second: "bakery.second",
  sendOnly: "bakery.send",
  readOnly: "bakery.read",
  manageOnly: "bakery.manage",
  restricted: "bakery.restricted",
  revoked: "bakery.revoked",
  replaced: "bakery.replaced",
  otherAccount: "florist.other",
  noPlan: "gardener.no-email",
  noNewsletter: "plumber.no-newsletter",
  noDomain: "starter.no-domain",
  atCeiling: "cinema.ceiling",
  burst: "courier.burst",
  quota: "kiosk.small-quota",
};

/** The accounts that the suite sends most requests with: they have practically no rate limit, so that a run does not wait. */
export const raisedRateLimits = { bakery: 100_000, florist: 10_000, gardener: 10_000 };

/** The options of a sandbox to test: the demo accounts, almost without rate limits and delays. */
export const testedSandbox = () => ({
  seed: seedWithManyFields(),
  requestsPerMinute: raisedRateLimits,
  delays: { delivery: 300, bounce: 200, complaint: 300 },
});

/** A sandbox with the demo accounts; one that sends its mail to a mailbox has a thread of its own. */
async function startSandboxTarget(profile: Profile = "full", hasMail = false): Promise<Target> {
  if (!hasMail) {
    const { startSandbox } = await import("../../sandbox/index.ts");
    const { url, close } = await startSandbox(testedSandbox());
    return { settings: settingsOfSandbox(url, profile), close };
  }
  const { openSmtpMailbox } = await import("../../contract/mail/mailbox.ts");
  const mailbox = await openSmtpMailbox({ port: 0 });
  const smtp = `smtp://127.0.0.1:${mailbox.port}`;
  // Compiled, this file is a part of the package's command, and the thread has a file beside it.
  const file = new URL(`./sandbox-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
  const options: SandboxOptions = { ...testedSandbox(), smtp };
  const sandbox = await startInThread<string>(file, options).catch(async (error: unknown) => {
    await mailbox.close();
    throw error;
  });
  const settings = settingsOfSandbox(sandbox.ready, profile);
  settings.fixtures = { ...settings.fixtures, mailbox: { smtp: mailbox.port } };
  settings.without = settings.without.filter((name) => name !== "mailbox");
  const close = async (): Promise<void> => {
    await sandbox.close();
    await mailbox.close();
  };
  return { settings, mailbox, close };
}

/** The settings to test a running sandbox with the demo accounts, with all hooks. */
export const settingsOfSandbox = (url: string, profile: Profile = "full"): Settings =>
  settingsFor(url, profile, keysOfDemo(), { ...sandboxConfig, implementation });

const implementation = { name: "email-api-contract sandbox", version: packageJson.version };

/** The settings of a server by a configuration, as those of a user are. */
function settingsFor(baseUrl: string, profile: Profile, keys: Settings["keys"], value: object = {}) {
  const source = { name: "sandbox.config.json", value };
  const loaded = settingsFrom(source, undefined, { baseUrl, profile, env: variablesOf(keys) });
  const { file: _, keyVariables: __, ...settings } = loaded;
  return settings;
}

/** The environment variables of keys. */
export const variablesOf = (keys: Settings["keys"]) =>
  Object.fromEntries(roles.map((role) => [variableOf(role), keys[role]]));

export function keysOfDemo(): Settings["keys"] {
  const all = new Map(
    demo.accounts.flatMap(({ id, keys }) =>
      keys.map((one): [string, string] => [`${id}.${one.id}`, one.key]),
    ),
  );
  return mapValues(demoKeys, (name) => all.get(name)) as Settings["keys"];
}

/** The demo accounts, with more custom fields than one request may have values for. */
export function seedWithManyFields(): Seed {
  const [first, ...others] = structuredClone(demo).accounts;
  const more = Array.from({ length: limits.contactFields + 1 }, (_, index) => ({
    key: `note_${index + 1}`,
    label: `Note ${index + 1}`,
    type: "text" as const,
  }));
  const rich = { ...first, customFields: [...(first?.customFields ?? []), ...more] };
  return { simulatorDomain: demo.simulatorDomain, accounts: [rich, ...others] } as Seed;
}
