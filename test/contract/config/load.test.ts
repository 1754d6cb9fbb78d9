import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import type { ContractConfig } from "../../../contract/config/config.ts";
import schema from "../../../contract/config/contract.schema.json" with { type: "json" };
import { defaultFiles, loadSettings, variableOf } from "../../../contract/config/load.ts";
import { hooksOf } from "../../../contract/engine/hooks.ts";
import { defaultDeadlines, roles } from "../../../contract/engine/settings.ts";
import { mapValues } from "../../../lib/objects.ts";
import { root } from "../../../scripts/common/paths.ts";
import { freePort } from "../../free-port.ts";
import { folderWith } from "./folder.ts";

type Node = { examples?: unknown[]; properties?: Record<string, Node> };

/** The first example of a setting, or those of the settings in it. */
const exampleOf = ({ examples, properties = {} }: Node): unknown =>
  examples?.[0] ?? mapValues(properties, exampleOf);

/** A configuration that says everything there is to say: the examples of the schema, but for what excludes others. */
const { attachmentServer: _, ...examples } = exampleOf(schema as Node) as Required<ContractConfig>;
const whole = {
  ...examples,
  $schema: "./contract.schema.json",
  baseUrl: "https://staging.example.com/",
  profile: "full",
  keys: Object.fromEntries(roles.map((role) => [role, `MY_${role.toUpperCase()}`])),
  hooks: {
    ...examples.hooks,
    confirm: {
      method: "PUT",
      url: "https://hooks.example.com/confirm/{email}",
      headers: { "x-hook": "plain", authorization: { env: "MY_HOOK_TOKEN" } },
      body: { list: "{list}" },
    },
  },
} satisfies Required<Omit<ContractConfig, "attachmentServer">>;

/** Every variable that it names, each with a value of its own. */
const environment: Record<string, string> = {
  ...Object.fromEntries(Object.values(whole.keys).map((name) => [name, `key-of-${name.toLowerCase()}`])),
  MY_HOOK_TOKEN: "Bearer hook-token-1234",
  CONTRACT_HOOK_TOKEN: "Bearer hook-token-5678",
};

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
    const { $schema, baseUrl, profile, without, notImplemented, keys, deadlines, hooks, ...others } = whole;
    const { expectedFailures, implementation, ...fixtures } = others;
    const ofRun = { implementation, profile, without, notImplemented, deadlines };
    expect(settings).toMatchObject({ baseUrl: "https://staging.example.com", ...ofRun });
    expect(settings.fixtures).toEqual(fixtures);
    expect(settings.keys).toEqual(
      Object.fromEntries(Object.entries(keys).map(([role, variable]) => [role, environment[variable]])),
    );
    expect(settings.expectedFailures).toBe(join(folder, "expected-failures.yaml"));
    expect(settings.hooks.confirm).toEqual({
      ...hooks.confirm,
      headers: { "x-hook": "plain", authorization: "Bearer hook-token-1234" },
    });
    expect(settings.hooks.reset).toMatchObject({ url: "https://staging.example.com/test/reset" });
    expect(settings.secrets).toEqual(["Bearer hook-token-5678", "Bearer hook-token-1234"]);
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
    expect(settings.hooks.reset).toMatchObject({ url: "https://other.example/test/reset" });
  });

  test("holds functions as hooks if it is a module", async () => {
    const folder = folderWith({
      "own.mjs": `export default {
          baseUrl: "http://127.0.0.1:1",
          hooks: { advanceClock: ({ seconds }) => { throw new Error(\`\${seconds} seconds\`); }, reset: { url: "/reset" } },
        };`,
    });
    const settings = await loadSettings({ folder, file: "own.mjs", env: {} });
    expect(settings.hooks.reset).toMatchObject({ url: "http://127.0.0.1:1/reset" });
    const hooks = hooksOf(settings);
    await expect(hooks.advanceClock?.({ seconds: 5 })).rejects.toThrow("5 seconds");
  });

  test("is looked for under one name each", () => {
    expect(defaultFiles).toEqual(
      expect.arrayContaining(Object.keys(formats).filter((name) => name.startsWith("contract.config"))),
    );
    expect(defaultFiles).toHaveLength(Object.keys(formats).length);
  });
});

interface Received {
  request: string;
  token: string | undefined;
  body: string;
}

/** A server that accepts every request; the path `/broken` responds with 500, `/large` with more than 8 MB. */
async function listening(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    received.push({
      request: `${request.method} ${request.url}`,
      token: request.headers.authorization,
      body,
    });
    if (request.url === "/large") response.end("x".repeat(9_000_000));
    else response.writeHead(request.url === "/broken" ? 500 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

test("hooks send the configured requests, with values and secrets inserted", async () => {
  const { url, received } = await listening();
  const folder = folderWith({
    "contract.config.yaml": `baseUrl: ${url}
hooks:
  advanceClock: { url: /clock, headers: { authorization: { env: HOOK_TOKEN } }, body: { by: "PT{seconds}S" } }
  confirm: { method: GET, url: "/confirm/{email}?list={list}" }
  failNext: { url: /failures, body: { calls: "{requests}", kinds: ["{failure}"] } }
  reset: { method: DELETE, url: "${url}/broken" }
`,
  });
  const settings = await loadSettings({ folder, env: { HOOK_TOKEN: "Bearer token-of-hooks" } });
  const hooks = hooksOf(settings);
  await hooks.advanceClock?.({ seconds: 60 });
  await hooks.confirm?.({ email: "a+b/c@example.com", list: 7 });
  await hooks.failNext?.({ failure: "503", requests: 2 });
  await expect(hooks.reset?.({})).rejects.toThrow("reset responded with 500");
  expect(hooks.suppress).toBeUndefined();
  expect(received).toEqual([
    { request: "POST /clock", token: "Bearer token-of-hooks", body: '{"by":"PT60S"}' },
    { request: "GET /confirm/a%2Bb%2Fc%40example.com?list=7", token: undefined, body: "" },
    { request: "POST /failures", token: undefined, body: '{"calls":2,"kinds":["503"]}' },
    { request: "DELETE /broken", token: undefined, body: "" },
  ]);
});

test("a hook that does not respond says why, and what to do", async () => {
  const { url } = await listening();
  const host = `127.0.0.1:${await freePort()}`;
  const hooks = hooksOf({ hooks: { reset: { url: `http://${host}` }, confirm: { url: `${url}/large` } } });
  await expect(hooks.reset?.({})).rejects.toThrow(
    `connect ECONNREFUSED ${host}. Start the server, or check the host and the port in the URL.`,
  );
  await expect(hooks.confirm?.({ email: "a@example.com", list: 1 })).rejects.toThrow(
    "it is larger than 8388608 bytes",
  );
});

test("a hook that is a function has a deadline, like a request", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const hooks = hooksOf({ hooks: { reset: () => new Promise(() => {}), suppress: () => 7 } });
  expect(await hooks.suppress?.({ email: "a@example.com" })).toBe(7);
  const never = expect(hooks.reset?.({})).rejects.toThrow("it did not finish within 60 s");
  await vi.advanceTimersByTimeAsync(60_000);
  await never;
});
