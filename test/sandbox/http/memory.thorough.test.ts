import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { bodyLimits } from "../../../sandbox/http/body.ts";
import { jsonBounds } from "../../../sandbox/http/json-bounds.ts";
import { keys, mail, without } from "../rig.ts";
import { runSandbox, type SandboxProcess } from "../serve/process.ts";

const megabyte = 1024 * 1024;
/** The most memory above that of an idle sandbox, in megabytes. */
const most = 300;
/** The most processor time of a request, in seconds: unlike its duration, it depends little on other processes. */
const longest = 1.5;

const running: SandboxProcess[] = [];
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
});

/** A figure of a process in megabytes: `VmRSS` is its memory, `VmHWM` the most that it has had. */
function memory({ child }: SandboxProcess, figure: "VmRSS" | "VmHWM"): number {
  const text = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024;
}

/** The processor time of a process, in seconds. */
function processorTime({ child }: SandboxProcess): number {
  const text = readFileSync(`/proc/${child.pid}/stat`, "utf8");
  const [user, system] = text.slice(text.lastIndexOf(")")).split(" ").slice(12, 14).map(Number) as [
    number,
    number,
  ];
  return (user + system) / 100;
}

/** A message as JSON that is as long as a body may be: `insert` has a text, which is repeated in place of `…`. */
function filled(message: object, insert: string, repeated: string, size: number = bodyLimits.api): string {
  const [before = "", after = ""] = `${JSON.stringify(message).slice(0, -1)},${insert}}`.split("…");
  const room = size - before.length - after.length;
  return before + repeated.repeat(Math.floor(room / repeated.length)) + after;
}

const fromTemplate = { ...without(mail(), "subject", "text"), template_id: "order-ready" };

/** Properties up to the bound, with names that fill the body. */
function properties(): string {
  const count = jsonBounds.values - 20;
  const length = Math.floor(bodyLimits.api / count) - 10;
  return Array.from({ length: count }, (_, index) => `"${String(index).padStart(length, "n")}":1`).join(",");
}

test.runIf(process.platform === "linux").for<[what: string, status: number, body: () => string]>([
  ["empty lists", 422, () => filled(mail(), '"x":[…[]]', "[],")],
  ["properties", 202, () => filled(mail(), `"variables":{${properties()}},"x":"…"`, "x")],
  ["escaped quotation marks", 202, () => filled(mail(), '"x":"…"', '\\"')],
  ["html", 202, () => filled(mail(), '"html":"…"', "x", 27 * megabyte)],
  [
    "an attachment",
    202,
    () => filled(mail(), '"attachments":[{"filename":"a","content":"…"}]', "AAAA", 37 * megabyte),
  ],
  [
    "base64 with a line break after each character",
    422,
    () => filled(mail(), '"attachments":[{"filename":"a","content":"…"}]', "A\\n"),
  ],
  [
    "a variable that is escaped",
    413,
    () => filled(fromTemplate, '"variables":{"name":"…","order":"1"}', "<"),
  ],
])("the largest body, of %s, takes little memory and processor time", async ([what, status, bodyOf]) => {
  const sandbox = runSandbox("--port", "0", "--quiet");
  running.push(sandbox);
  const [url] = await sandbox.says(/http:\/\/127\.0\.0\.1:\d+/);
  const body = Buffer.from(bodyOf());
  expect(body.length).toBeLessThanOrEqual(bodyLimits.api);
  const headers = {
    authorization: `Bearer ${keys.all}`,
    "content-type": "application/json",
    "idempotency-key": what,
  };
  const idle = memory(sandbox, "VmRSS");
  const before = processorTime(sandbox);
  const response = await fetch(`${url}/api/v1/emails`, { method: "POST", headers, body });
  await response.arrayBuffer();
  expect(response.status).toBe(status);
  expect(processorTime(sandbox) - before).toBeLessThan(longest);
  expect(memory(sandbox, "VmHWM") - idle).toBeLessThan(most);
});
