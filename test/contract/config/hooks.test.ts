import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadSettings } from "../../../contract/config/load.ts";
import { hooksOf, inTime } from "../../../contract/engine/hooks.ts";
import { folderWith } from "./folder.ts";

interface Received {
  request: string;
  token: string | undefined;
  body: string;
}

/** A server that accepts every request, except that the path `/broken` responds with 500. */
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
    response.writeHead(request.url === "/broken" ? 500 : 204).end();
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
  const hooks = await hooksOf(settings);
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

test("a hook that is a function has a deadline, like a request", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const settings = { hooks: {} };
  const folder = folderWith({
    "contract.config.mjs":
      "export default { hooks: { reset: () => new Promise(() => {}), suppress: () => 7 } };",
  });
  const hooks = await hooksOf({ ...settings, module: `${folder}/contract.config.mjs` });
  expect(await hooks.suppress?.({ email: "a@example.com" })).toBe(7);
  const never = expect(hooks.reset?.({})).rejects.toThrow("it did not finish within 60 s");
  await vi.advanceTimersByTimeAsync(60_000);
  await never;
  expect(inTime(function moved() {}).name).toBe("moved");
});
