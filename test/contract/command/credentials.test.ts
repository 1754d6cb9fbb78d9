import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { startTarget } from "../../../scripts/contract/targets.ts";
import { runHere } from "../../scripts/run-here.ts";
import { folderWith } from "../config/folder.ts";

const secret = "hook-secret-8c1f04";
const unused = "key-of-another-account-77aa";

afterEach(() => vi.unstubAllEnvs());

/** Runs a command with all reports. @returns what it printed, and each report by the option that writes it */
async function reportsOf(folder: string, words: readonly string[]): Promise<Map<string, string>> {
  const options = ["json", "html", "markdown", "junit", "badge", "write-expected"];
  const files = options.map((name) => [name, join(folder, name)] as const);
  const { status, out, err } = await runHere(
    ...words,
    ...files.flatMap(([name, file]) => [`--${name}`, file]),
  );
  expect(err).not.toContain("Error");
  expect(status, err).not.toBe(2);
  const texts = files.map(async ([name, file]) => [name, await readFile(file, "utf8")] as const);
  return new Map([["terminal", out + err], ...(await Promise.all(texts))]);
}

const entryOf = (id: string, credentials: readonly string[]): string =>
  JSON.stringify([{ id, reason: `Uses ${credentials.join()}`, owner: credentials[0], until: "2026-01-01" }]);

const implementationOf = (credentials: readonly string[]) => ({
  name: `Postbox ${credentials[0]}`,
  version: "1",
  url: `https://postbox.example/${credentials[0]}`,
  contact: credentials.at(-1),
});

test("no report shows a key or a secret of the configuration, also in names and reasons that people wrote", async () => {
  const { settings, close } = await startTarget("sandbox");
  onTestFinished(close);
  const { full = "", readOnly = "" } = settings.keys;
  const credentials = [full, readOnly, secret];
  vi.stubEnv("CONTRACT_API_KEY", full);
  vi.stubEnv("MY_READER", readOnly);
  vi.stubEnv("MY_SECRET", secret);
  const config = {
    baseUrl: settings.baseUrl,
    keys: { readOnly: "MY_READER" },
    hooks: { reset: { url: "/sandbox/reset", headers: { authorization: { env: "MY_SECRET" } } } },
    implementation: implementationOf(credentials),
  };
  const folder = folderWith({
    "c.json": JSON.stringify(config),
    "f.json": entryOf("AUTH-2", credentials),
  });
  const files = ["--config", join(folder, "c.json"), "--expected-failures", join(folder, "f.json")];
  const reports = await reportsOf(folder, ["contract", ...files, "--grep", "AUTH-2"]);
  for (const [name, text] of reports)
    for (const one of credentials) expect(text.includes(one), `${name} with ${one}`).toBe(false);
  expect(reports.get("json")).toContain('"name": "Postbox ***"');
  expect(reports.get("json")).toContain('"reason": "Uses ***,***,***"');
  expect(reports.get("html")?.includes("Uses ***")).toBe(true);
});

test("no report on a client shows a key of the environment, or the key of its service", async () => {
  vi.stubEnv("CONTRACT_KEY_SECOND", unused);
  const folder = folderWith({ "f.json": entryOf("GEN-5", [unused]) });
  const driver = join(folder, "driver.mjs");
  const ready = {
    protocol: 1,
    operations: ["getMe"],
    retries: false,
    idempotencyKeys: "explicit",
    timeouts: false,
  };
  const code = `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { key } = JSON.parse(line);
  if (!key) continue;
  const implementation = { name: "${unused}", version: key, url: "https://a.example/" + key };
  console.log(JSON.stringify({ ...${JSON.stringify(ready)}, client: "a " + key, implementation }));
}`;
  await writeFile(driver, code);
  const words = ["client", "--driver", `"${process.execPath}" "${driver}"`, "--grep", "GEN-5"];
  const reports = await reportsOf(folder, [...words, "--expected-failures", join(folder, "f.json")]);
  for (const [name, text] of reports) {
    expect(text.includes(unused), name).toBe(false);
    expect(/key_[\da-f]{32}/.exec(text), name).toBeNull();
  }
  expect(JSON.parse(reports.get("json") ?? "")).toMatchObject({
    implementation: { name: "***", version: "***" },
    client: { name: "a ***" },
  });
});

test("no report on traffic shows a key of the environment, with or without a configuration", async () => {
  vi.stubEnv("CONTRACT_API_KEY", unused);
  vi.stubEnv("MY_SECRET", secret);
  const credentials = [unused, secret];
  const config = {
    baseUrl: "http://127.0.0.1:1",
    hooks: { reset: { url: "/sandbox/reset", headers: { authorization: { env: "MY_SECRET" } } } },
    implementation: implementationOf(credentials),
  };
  const exchange = {
    method: "GET",
    url: "/api/v1/me",
    requestHeaders: {},
    status: 401,
    responseHeaders: {},
    startedAt: 1,
    endedAt: 2,
  };
  const folder = folderWith({
    "c.json": JSON.stringify(config),
    "f.json": entryOf("HEAD-1", credentials),
    "g.json": entryOf("HEAD-1", [unused]),
    "t.ndjson": JSON.stringify(exchange),
  });
  const words = ["observe", "--ndjson", join(folder, "t.ndjson"), "--expected-failures"];
  const runs = [
    [...words, join(folder, "f.json"), "--config", join(folder, "c.json")],
    [...words, join(folder, "g.json")],
  ];
  for (const run of runs) {
    const reports = await reportsOf(folder, run);
    for (const [name, text] of reports)
      for (const one of credentials) expect(text.includes(one), `${name} with ${one}`).toBe(false);
    expect(reports.get("json")).toContain("Uses ***");
  }
});
