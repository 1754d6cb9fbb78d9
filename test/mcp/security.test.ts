import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
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

test("keys come from the variables for keys alone, and no result shows them", async () => {
  const key = "key_c0ffee_5f2b91d4";
  const echo = createServer((request, response) => {
    const text = JSON.stringify({ authorization: request.headers.authorization });
    response
      .writeHead(200, { "content-type": "application/json", "x-echo": request.headers.authorization ?? "" })
      .end(text);
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const base_url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
  const agent = await startAgent([], { CONTRACT_API_KEY: key, OTHER_SECRET: "another_secret_1" });
  onTestFinished(async () => {
    await agent.close();
    echo.close();
  });
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

test("a host that is not allowed gets no request, and the error says who can allow it", async () => {
  const agent = await startAgent([], { CONTRACT_API_KEY: "key_c0ffee_5f2b91d4" });
  onTestFinished(() => agent.close());
  const base_url = "http://192.0.2.1";
  for (const [tool, input] of [
    ["request", { path: "/", base_url }],
    ["test", { base_url }],
    ["sandbox", { action: "use", url: base_url }],
  ] as const)
    await expect(agent.call(tool, input)).rejects.toThrow(
      /192\.0\.2\.1 is not allowed.*--allow-host 192\.0\.2\.1/,
    );
});
