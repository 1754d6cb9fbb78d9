import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import schema from "../../../contract/config/contract.schema.json" with { type: "json" };
import { defaultFiles, loadSettings, variableOf } from "../../../contract/config/load.ts";
import { hooksOf } from "../../../contract/engine/hooks.ts";
import { defaultDeadlines, omissible, roles } from "../../../contract/engine/settings.ts";
import { root } from "../../../scripts/common/paths.ts";
import { folderWith } from "./folder.ts";
import { environment, whole } from "./whole.ts";

const define = pathToFileURL(join(root, "contract/config/config.ts")).href;
const text = JSON.stringify(whole, null, 2);
const formats: Record<string, string> = {
  "contract.config.json": text,
  "contract.config.yaml": stringify(whole),
  "contract.config.yml": `# a comment\n${stringify(whole)}`,
  "contract.config.ts": `import { type ContractConfig, defineContract } from "${define}";
    const config: ContractConfig = ${text};
    export default defineContract(config);`,
  "contract.config.mts": `const config: object = ${text}; export default config;`,
  "contract.config.js": `export default ${text};`,
  "contract.config.mjs": `export default ${text};`,
};

describe("a configuration", () => {
  test.each(Object.keys(formats))("is read from %s, found by its name", async (name) => {
    const folder = folderWith({ [name]: formats[name] ?? "" });
    const settings = await loadSettings({ folder, env: environment });
    const { $schema, baseUrl, profile, without, keys, deadlines, hooks, expectedFailures, ...fixtures } =
      whole;
    expect(settings).toMatchObject({ baseUrl: "https://staging.example.com", profile, without, deadlines });
    expect(settings.fixtures).toEqual(fixtures);
    expect(settings.keys).toEqual(
      Object.fromEntries(Object.entries(keys).map(([role, variable]) => [role, environment[variable]])),
    );
    expect(settings.expectedFailures).toBe(join(folder, "expected.yaml"));
    expect(settings.hooks.confirm).toEqual({
      ...hooks.confirm,
      headers: { "x-hook": "plain", authorization: "Bearer hook-token-1234" },
    });
    expect(settings.hooks.reset?.url).toBe("https://staging.example.com/sandbox/reset");
    expect(settings.secrets).toEqual(["Bearer hook-token-1234"]);
    expect(settings.module).toBeUndefined();
    // It crosses threads.
    expect(structuredClone(settings)).toEqual(settings);
  });

  test("can leave out all that a run can leave out", () => {
    expect(schema.properties.without.items.enum).toEqual(omissible);
  });

  test("has all its settings in the test above, under the names that the schema describes", () => {
    const names = (node: object): string[] => Object.keys((node as { properties: object }).properties);
    // It excludes attachmentLink and attachmentHash.
    expect([...Object.keys(whole), "attachmentServer"].sort()).toEqual(names(schema).sort());
    const { keys, domains, lists, fields, contacts, messages, deadlines, hooks } = schema.properties;
    const { template } = schema.$defs;
    const nodes = {
      ...{ keys, domains, lists, fields, contacts, messages, deadlines, hooks },
      ...{ template, unpublishedTemplate: template },
    };
    for (const [name, node] of Object.entries(nodes))
      expect(Object.keys(whole[name as keyof typeof nodes]).sort()).toEqual(names(node).sort());
    expect(names(keys).sort()).toEqual([...roles].sort());
  });

  test("has a description of each setting in the schema", () => {
    const bare: string[] = [];
    const visit = (node: unknown, place: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [name, inner] of Object.entries((node as { properties?: object }).properties ?? {})) {
        if (typeof (inner as { description?: unknown }).description !== "string")
          bare.push(`${place}/${name}`);
      }
      for (const [name, inner] of Object.entries(node)) visit(inner, `${place}/${name}`);
    };
    visit(schema, "");
    expect(bare).toEqual([]);
  });

  test("may be left out: the usual variables of the environment hold keys", async () => {
    const env = {
      CONTRACT_API_KEY: "key-of-all",
      CONTRACT_KEY_SEND_ONLY: "key-of-send",
      CONTRACT_KEY_BURST: "",
    };
    const settings = await loadSettings({ folder: folderWith(), baseUrl: "http://127.0.0.1:1/", env });
    expect(settings).toEqual({
      baseUrl: "http://127.0.0.1:1",
      profile: "core",
      runId: expect.stringMatching(/^[0-9a-z]{10}$/),
      keys: { full: "key-of-all", sendOnly: "key-of-send" },
      keyVariables: { full: "CONTRACT_API_KEY", sendOnly: "CONTRACT_KEY_SEND_ONLY" },
      fixtures: {},
      deadlines: defaultDeadlines,
      hooks: {},
      without: [],
    });
    expect(variableOf("noNewsletter")).toBe("CONTRACT_KEY_NO_NEWSLETTER");
  });

  test("gives way to options", async () => {
    const folder = folderWith({ "own.json": text });
    const options = {
      file: "own.json",
      baseUrl: "https://other.example",
      profile: "core",
      without: ["burst"],
    } as const;
    const settings = await loadSettings({ folder, env: environment, ...options });
    expect(settings).toMatchObject({ baseUrl: "https://other.example", profile: "core", without: ["burst"] });
    expect(settings.hooks.reset?.url).toBe("https://other.example/sandbox/reset");
  });

  test("holds functions as hooks where it is a module", async () => {
    const folder = folderWith({
      "own.mjs": `export const seen = [];
        export default {
          baseUrl: "http://127.0.0.1:1",
          hooks: { advanceClock: ({ seconds }) => seen.push(seconds), reset: { url: "/reset" } },
        };`,
    });
    const settings = await loadSettings({ folder, file: "own.mjs", env: {} });
    expect(settings.module).toBe(join(folder, "own.mjs"));
    expect(Object.keys(settings.hooks)).toEqual(["reset"]);
    const hooks = await hooksOf(settings);
    await hooks.advanceClock?.({ seconds: 5 });
    const { seen } = (await import(pathToFileURL(join(folder, "own.mjs")).href)) as { seen: number[] };
    expect(seen).toEqual([5]);
  });

  test("is looked for under one name each", () => {
    expect(defaultFiles).toEqual(
      expect.arrayContaining(Object.keys(formats).filter((name) => name.startsWith("contract.config"))),
    );
    expect(defaultFiles).toHaveLength(Object.keys(formats).length);
  });
});
