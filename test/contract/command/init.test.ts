import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadSettings, variableOf } from "../../../contract/config/load.ts";
import { Run } from "../../../contract/engine/run.ts";
import { type Role, roles } from "../../../contract/engine/settings.ts";
import { planOf, runPlan } from "../../../contract/plan.ts";
import { requirementsOf } from "../../../contract/verifiable.ts";
import { root } from "../../../scripts/common/paths.ts";
import { type InitOptions, runInit, schemaLine } from "../../../scripts/contract/init.ts";
import { startTarget, type Target } from "../../../scripts/contract/targets.ts";
import { complaint, folderWith } from "../config/folder.ts";

let target: Target;
beforeAll(async () => {
  target = await startTarget("sandbox");
});
afterAll(() => target.close());

const environmentOf = (...some: Role[]): Record<string, string> =>
  Object.fromEntries(some.map((role) => [variableOf(role), target.settings.keys[role] ?? ""]));

async function init(options: InitOptions): Promise<{ folder: string; text: string; said: string }> {
  const folder = options.folder ?? folderWith();
  let said = "";
  const print = (text: string) => {
    said += `${text}\n`;
  };
  expect(await runInit({ baseUrl: target.settings.baseUrl, print, ...options, folder })).toBe(0);
  return { folder, said, text: readFileSync(join(folder, options.output ?? "contract.config.yaml"), "utf8") };
}

describe("contract init", () => {
  test("fills in what one key can show, and the file loads and runs", async () => {
    const env = environmentOf("full");
    const { folder, text, said } = await init({ env });
    expect(parse(text)).toEqual({
      baseUrl: target.settings.baseUrl,
      profile: "core",
      keys: { full: "CONTRACT_API_KEY" },
      lists: { plain: 2, second: 3, doubleOptIn: 1 },
      fields: { text: "city", number: "orders", date: "birthday", url: "website" },
    });
    expect(text).toContain("plain: 2 # Offers");
    expect(said).toMatch(/The server has 3 newsletter lists and \d+ custom fields/);
    const settings = await loadSettings({ folder, env });
    const total = requirementsOf(settings, planOf(settings)).size;
    expect(said.replaceAll("\n", " ")).toMatch(
      new RegExp(`a run of the profile core can verify up to \\d+ of ${total} requirements`),
    );
    const outcomes = await runPlan(new Run({ settings }), planOf(settings, /LIST-|IDEM-1 /));
    expect(outcomes.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThan(0);
    expect(outcomes.filter(({ verdict }) => verdict === "fail" || verdict === "error")).toEqual([]);
  });

  test("names the schema at a path that exists, and none that others would not have", async () => {
    const folder = join(root, "test/contract");
    const [, schema = ""] = /\$schema=(.*)/.exec(schemaLine(join(folder, "a.yaml"), root)) ?? [];
    expect(JSON.parse(readFileSync(join(folder, schema), "utf8"))).toHaveProperty("properties.baseUrl");
    expect((await init({ env: environmentOf("full") })).text).not.toContain("$schema");
    expect(schemaLine("/home/ada/shop/contract.config.yaml", "/home/ada/shop/vendored/contract/")).toContain(
      "$schema=./vendored/contract/contract/config/contract.schema.json\n",
    );
    expect(schemaLine("/home/ada/shop/contract.config.yaml", "/home/ada/contract/")).toBe("");
    const installed = "/home/ada/shop/node_modules/email-api-contract/";
    expect(schemaLine("/home/ada/shop/contract.config.yaml", installed)).toContain(
      "$schema=./node_modules/email-api-contract/contract/config/contract.schema.json\n",
    );
    expect(schemaLine("/data/contract.config.yaml", "/app/node_modules/email-api-contract/")).toBe("");
  });

  test("lists the keys that the environment holds, and shows none of them", async () => {
    const env = environmentOf(...roles);
    const { text, said } = await init({ env });
    expect(Object.keys(parse(text).keys).toSorted()).toEqual(roles.toSorted());
    for (const key of Object.values(env)) expect(text + said).not.toContain(key);
    const { text: other } = await init({ env: { CONTRACT_KEY_FULL: env.CONTRACT_API_KEY } });
    expect(parse(other).keys).toEqual({ full: "CONTRACT_KEY_FULL" });
  });

  test("lists what most requirements need first, and keys for one requirement last among the keys", async () => {
    const { text } = await init({ env: environmentOf("full") });
    const sections = [...text.matchAll(/^#?(\w+):/gm)].map(([, name]) => name);
    expect(sections.slice(0, 7)).toEqual([
      "baseUrl",
      "implementation",
      "profile",
      "without",
      "notImplemented",
      "domains",
      "simulatorDomain",
    ]);
    const [, keys = ""] = /^keys:\n([\s\S]*?)\n\n/m.exec(text) ?? [];
    expect(keys.trimStart().split("\n")[1]).toBe("  full: CONTRACT_API_KEY");
    const counts = [...keys.replaceAll(/\n +# /g, " ").matchAll(/Needed for (\d+) requirement/g)];
    const numbers = counts.map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
    expect(numbers.at(-1)).toBe(1);
  });

  test("writes a file that loads when everything in it is uncommented", async () => {
    const { folder, text } = await init({ env: environmentOf("full") });
    const whole = text.replaceAll(/^( *)#(?=\w| {2})/gm, "$1").replace("otherAccount: 4", "otherAccount: 11");
    const keys = Object.fromEntries(roles.map((role) => [variableOf(role), `key-of-${role}`]));
    const env = { ...keys, CONTRACT_HOOK_TOKEN: "token-of-hooks" };
    const load = (leftOut: RegExp) => {
      writeFileSync(join(folder, "contract.config.yaml"), whole.replaceAll(leftOut, ""));
      return loadSettings({ folder, env });
    };
    // A file for attachments is at a link, or served by the suite.
    const { fixtures } = await load(/^attachment(Link|Hash):.*\n/gm);
    expect(fixtures.attachmentServer).toEqual({ port: 8089, url: "https://contract.example.com" });
    const settings = await load(/^attachmentServer:\n( .*\n)+/gm);
    expect(Object.keys(settings.keys).toSorted()).toEqual(roles.toSorted());
    expect(Object.keys(settings.hooks)).toHaveLength(5);
    expect(Object.keys(settings.fixtures)).toHaveLength(16);
  });

  test("reports what the key may not read", async () => {
    const { said } = await init({ env: { CONTRACT_API_KEY: target.settings.keys.sendOnly } });
    expect(said.replaceAll("\n", " ")).toContain("listNewsletterLists was rejected with 403 forbidden.");
  });

  test("says which operations it has not looked for", async () => {
    const { said } = await init({ env: environmentOf("full") });
    expect(said.replaceAll("\n", " ")).toContain(
      "need an id: sendEmail, sendBatch, getEmail, rescheduleEmail, cancelEmail, upsertContact, getContact, unsubscribeContact. List those that do not exist yet in notImplemented.",
    );
  });

  test("lists an operation that seems not to exist", async () => {
    const missing: InitOptions["fetch"] = (url, request) => fetch(url.replace(/lists$/, "none"), request);
    const { said, text } = await init({ env: environmentOf("full"), fetch: missing });
    expect(parse(text).notImplemented).toEqual(["listNewsletterLists"]);
    expect(said.replaceAll("\n", " ")).toMatch(
      /The server has an unknown number of newsletter lists and \d+ custom fields\. listNewsletterLists was rejected with 404/,
    );
    expect(said.replaceAll("\n", " ")).toContain("What seems not to exist is in notImplemented.");
  });

  test("does not say that the server has none if it did not respond", async () => {
    const silent: InitOptions["fetch"] = (url, request) =>
      url.endsWith("lists") ? Promise.reject(new TypeError("other side closed")) : fetch(url, request);
    const { said, text } = await init({ env: environmentOf("full"), fetch: silent });
    expect(parse(text).notImplemented).toBeUndefined();
    expect(said.replaceAll("\n", " ")).toMatch(
      /The server has an unknown number of newsletter lists and \d+ custom fields\. listNewsletterLists got no response\./,
    );
  });

  test("keeps a configuration, and replaces one of the same name only with --force", async () => {
    const folder = folderWith({ "contract.config.yaml": "profile: core\n" });
    const env = environmentOf("full");
    const options = { folder, env, baseUrl: target.settings.baseUrl, print: () => {} };
    const { text, exitCode } = await complaint(runInit(options));
    expect([text, exitCode]).toEqual([
      "contract.config.yaml already exists\nIt is unchanged. Use --force to replace it, or --output to write another file.",
      2,
    ]);
    expect(readFileSync(join(folder, "contract.config.yaml"), "utf8")).toBe("profile: core\n");
    expect((await init({ ...options, force: true })).text).toContain("baseUrl: ");
    const json = { ...options, folder: folderWith({ "contract.config.json": "{}" }) };
    for (const force of [false, true])
      expect((await complaint(runInit({ ...json, force }))).text).toContain(
        "there already is a configuration: contract.config.json",
      );
  });

  test.each([
    [{}, "the base URL of the server is missing"],
    [{ baseUrl: "http://127.0.0.1:1" }, "No response to GET /api/v1/me"],
    [{ baseUrl: "nowhere" }, "--base-url must be an http or https URL"],
  ])("says what to do about %j", async (options, said) => {
    const env = { CONTRACT_API_KEY: "canary-key-1234" };
    const { text, exitCode } = await complaint(runInit({ folder: folderWith(), env, ...options }));
    expect([text, exitCode]).toEqual([expect.stringContaining(said), 2]);
    expect(text).not.toContain("canary");
  });

  test.each([
    [{}, "the API key is missing: CONTRACT_API_KEY is not set\nSet the environment variable"],
    [
      { CONTRACT_API_KEY: "canary-key-1234" },
      'rejects the key in CONTRACT_API_KEY with 401: "This API key was not issued by the service"\nSet CONTRACT_API_KEY',
    ],
    [
      { CONTRACT_KEY_FULL: "canary-key-1234" },
      'rejects the key in CONTRACT_KEY_FULL with 401: "This API key was not issued by the service"\nSet CONTRACT_KEY_FULL',
    ],
  ])("writes nothing without a key that the server accepts: %j", async (env, said) => {
    const folder = folderWith();
    const { text, exitCode } = await complaint(runInit({ folder, env, baseUrl: target.settings.baseUrl }));
    expect([text, exitCode]).toEqual([expect.stringContaining(said), 2]);
    expect(text).not.toContain("canary");
    expect(readdirSync(folder)).toEqual([]);
  });
});
