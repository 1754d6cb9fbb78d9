import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";
import { consoleText } from "../../contract/report/console.ts";
import { writeReports } from "../../contract/report/write.ts";
import { resultOf } from "../../scripts/observe/run-command.ts";
import { Traffic } from "../../scripts/observe/traffic.ts";
import { exchange } from "./samples.ts";

const secret = /qzxv/i;
const key = "qzxv_api_key_0123456789";
const email = "qzxv@qzxv.example";

/** Failures of many kinds, with something marked in every place that a client or the server fills. */
function markedTraffic() {
  const requestHeaders = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": "qzxv-key",
    cookie: "qzxv=1",
    "x-qzxv": "qzxv",
  };
  const sent = {
    from: email,
    to: [email],
    subject: "Qzxv subject",
    text: "qzxv text",
    tags: { qzxv: "qzxv" },
  };
  const responseHeaders = { "x-qzxv": "qzxv", "set-cookie": "qzxv=1", "x-ratelimit-limit": "qzxv" };
  const record = { id: "qzxv_id", from: "other-qzxv@qzxv.example", to: [], subject: `Qzxv ${key}`, tags: {} };
  const changes = { requestHeaders, responseHeaders };
  return [
    exchange("POST", "/api/v1/emails", {
      ...changes,
      sent,
      status: 202,
      received: { id: "qzxv_id", to: [], suppressed: [email] },
    }),
    exchange("POST", "/api/v1/emails", {
      ...changes,
      sent: { ...sent, subject: "qzxv".repeat(300) },
      status: 202,
      received: { id: "qzxv_id" },
    }),
    exchange("GET", "/api/v1/emails/qzxv_id?qzxv=qzxv", { ...changes, received: record }),
    exchange("GET", `/api/v1/newsletter/contacts/${encodeURIComponent(email)}`, {
      ...changes,
      received: { email: "Qzxv", lists: [{ qzxv: email }] },
    }),
    exchange("POST", `/api/v1/newsletter/contacts/${encodeURIComponent(email)}/unsubscribe`, {
      ...changes,
      sent: { reason: "qzxv" },
      received: { email },
    }),
    exchange("GET", "/api/v1/qzxv/qzxv", {
      ...changes,
      status: 404,
      received: { error: { type: "qzxv", message: "qzxv", fields: { qzxv: ["qzxv"] } } },
    }),
    exchange("QZXV", "/api/v1/emails", { ...changes, status: 405, received: "qzxv" }),
  ];
}

async function reportsOf(showBodies: boolean): Promise<Record<string, string>> {
  const observer = new Observer();
  const traffic = new Traffic(observer, "https://api.example.com");
  for (const { path, ...one } of markedTraffic())
    traffic.add({ ...one, url: `https://api.example.com${path}` });
  observer.end();
  const result = resultOf(observer, traffic, { keys: {}, expected: [], showBodies });
  expect(result.counts.fail).toBeGreaterThan(10);
  const folder = await mkdtemp(join(tmpdir(), "observe-"));
  const names = ["json", "junit", "html", "markdown", "badge"] as const;
  await writeReports(result, Object.fromEntries(names.map((name) => [name, join(folder, name)])));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]),
  );
  await rm(folder, { recursive: true });
  return { ...Object.fromEntries(files), console: consoleText(result) };
}

describe("reports of traffic", () => {
  it("have no keys, email addresses, ids, subjects and bodies", async () => {
    for (const [name, text] of Object.entries(await reportsOf(false)))
      expect(`${name}: ${text.split("\n").find((line) => secret.test(line)) ?? "nothing"}`).toBe(
        `${name}: nothing`,
      );
  });

  it("have bodies with --show-bodies, but no keys", async () => {
    const reports = await reportsOf(true);
    expect(reports.json).toContain("Qzxv subject");
    for (const [name, text] of Object.entries(reports))
      expect(`${name} ${text.split("\n").find((line) => line.includes(key))}`).toBe(`${name} undefined`);
  });
});
