import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { ContractResult } from "../../contract/report/result.ts";
import { startSandbox } from "../../sandbox/index.ts";
import { root } from "../../scripts/common/paths.ts";
import { runObserveCommand } from "../../scripts/observe/run-command.ts";
import { folderWith } from "../contract/config/folder.ts";
import { freePort } from "../free-port.ts";
import { message } from "./samples.ts";

it("a recording of redocly proxy has verdicts on single exchanges and across them", async () => {
  const folder = folderWith();
  const [har, json] = [join(folder, "traffic.har"), join(folder, "report.json")];
  const sandbox = await startSandbox();
  const port = await freePort();
  const options = ["proxy", "--target", sandbox.url, "--port", String(port), "--har", har];
  const proxy = spawn(join(root, "node_modules/.bin/redocly"), options, { cwd: folder, stdio: "ignore" });
  try {
    const url = `http://127.0.0.1:${port}/api/v1/emails`;
    const headers = { authorization: "Bearer sandbox_all_2f7c", "content-type": "application/json" };
    const send = () => fetch(url, { method: "POST", headers, body: JSON.stringify(message) });
    await expect.poll(() => send().then(({ status }) => status), { timeout: 20_000 }).toBe(202);
    const { id } = (await (await send()).json()) as { id: string };
    await (await fetch(`${url}/${id}`, { headers })).text();
    await (await fetch(`${url}/unknown`, { headers })).text();
  } finally {
    proxy.kill("SIGINT");
    await once(proxy, "exit");
    await sandbox.close();
  }
  vi.spyOn(console, "log").mockImplementation(() => {});
  expect(await runObserveCommand({ har: [har], json, port: 0, host: "127.0.0.1" })).toBe(0);
  const { requirements, traffic } = JSON.parse(await readFile(json, "utf8")) as ContractResult;
  const passed = requirements.filter(({ verdict }) => verdict === "pass").map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(["HEAD-1", "SEND-31", "ERR-1", "LOOK-3"]));
  expect(traffic).toMatchObject({ exchanges: 4, keys: 1, incomplete: 0 });
});
