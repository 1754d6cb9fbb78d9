import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { startAgent } from "./agent.ts";

test("connections lead to this machine and to allowed hosts only, also after a redirect and by a name of this machine", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, "network.check.ts"),
  ]);
  expect(JSON.parse(stdout)).toEqual({
    "an address of this machine": "200",
    "a name of this machine": "200",
    "an allowed name": "200",
    "a name of this machine that leads elsewhere": "IP(192.0.2.1) is blocked by net.BlockList",
    "another name": "not allowed, not looked up",
    "another address": "not allowed",
    "another address, with TLS": "not allowed",
    "all addresses of this machine": "not allowed",
    "a mapped address": "not allowed",
    "a redirect to another address": "not allowed",
    "another address by the module http": "not allowed",
  });
});

const key = "key_c0ffee_5f2b91d4";

/** An agent with a key, and the URL of a server that responds with what a function makes of the key. */
async function agentWithKey(text: (authorization: string) => string, env: Record<string, string> = {}) {
  const echo = createServer((request, response) => {
    const { authorization = "" } = request.headers;
    response.writeHead(200, { "x-echo": authorization }).end(text(authorization));
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const agent = await startAgent([], { CONTRACT_API_KEY: key, OTHER_SECRET: "another_secret_1", ...env });
  onTestFinished(async () => {
    await agent.close();
    echo.close();
  });
  return { agent, base_url: `http://127.0.0.1:${(echo.address() as AddressInfo).port}` };
}

test("keys come from the variables for keys alone, and no result shows them", async () => {
  const { agent, base_url } = await agentWithKey((authorization) => JSON.stringify({ authorization }));
  const shown = await agent.call("request", { path: "/api/v1/me", base_url });
  expect(shown).toContain("Bearer ***");
  expect(shown).not.toContain(key);
  await expect(agent.call("request", { path: "/", base_url, key: "sendOnly" })).rejects.toThrow(
    "CONTRACT_KEY_SEND_ONLY is not set",
  );
  const settings = { keys: { full: "OTHER_SECRET" } };
  await expect(agent.call("test", { base_url, settings })).rejects.toThrow(
    "names a variable that is not set",
  );
});

test("no offset shows a part of a key, and no two parts show its halves", async () => {
  const { agent, base_url } = await agentWithKey((authorization) => `${authorization} `.repeat(1000));
  let shown = await agent.call("request", { path: "/", base_url });
  const start = shown.indexOf("Bearer");
  for (let at = start; at < start + 30; at += 1)
    expect(await agent.call("request", { offset: at })).not.toContain("c0ffee");
  const [, offset] = /More: offset (\d+)\]$/.exec(shown) ?? [];
  shown += await agent.call("request", { offset: Number(offset) });
  expect(shown).not.toMatch(/key_|ffee|91d4/);
});

test("a key is hidden with control characters in it", async () => {
  const { agent, base_url } = await agentWithKey((authorization) =>
    authorization.replace("ffee", "\u001b[0mffee\u001b[1m"),
  );
  const shown = await agent.call("request", { path: "/", base_url });
  expect(shown.match(/Bearer \*{3}/g)).toHaveLength(2);
  expect(shown).not.toContain("ffee");
});

test("a variable with a URL is no key: results show it", async () => {
  const { agent, base_url } = await agentWithKey(() => "http://127.0.0.1:8080/next", {
    CONTRACT_BASE_URL: "http://127.0.0.1:8080",
  });
  expect(await agent.call("request", { path: "/", base_url })).toContain("http://127.0.0.1:8080/next");
});

test.each([{ NODE_USE_ENV_PROXY: "1" }, { NODE_OPTIONS: "--use-env-proxy" }])(
  "it does not start if requests would go through a proxy: %o",
  async (proxy) => {
    const env = { ...process.env, ...proxy, HTTP_PROXY: "http://127.0.0.1:1" };
    const started = promisify(execFile)(process.execPath, [join(root, "scripts/cli.ts"), "mcp"], { env });
    await expect(started).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/through a proxy.*NODE_USE_ENV_PROXY=0/s),
    });
  },
);

test("settings open no port to other machines", async () => {
  const { agent, base_url } = await agentWithKey(() => "");
  for (const settings of [
    { mailbox: { smtp: 2525, host: "0.0.0.0" } },
    { attachmentServer: { port: 2526, host: "::", url: "https://files.example.com" } },
  ])
    await expect(agent.call("test", { base_url, settings })).rejects.toThrow(
      /the host .* is not of this machine.*Leave host out/,
    );
});

test("a host that is not allowed gets no request, and the error says who can allow it", async () => {
  const agent = await startAgent([], { CONTRACT_API_KEY: "key_c0ffee_5f2b91d4" });
  onTestFinished(() => agent.close());
  const base_url = "http://192.0.2.1";
  for (const [tool, input] of [
    ["request", { path: "/", base_url }],
    ["test", { base_url }],
    ["sandbox", { action: "start", url: base_url }],
  ] as const)
    await expect(agent.call(tool, input)).rejects.toThrow(
      /192\.0\.2\.1 is not allowed.*--allow-host 192\.0\.2\.1/,
    );
});
