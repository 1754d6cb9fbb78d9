import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../../../sandbox/index.ts";
import { runHere } from "../../scripts/run-here.ts";
import { blocksOf, pages } from "./pages.ts";

const guide = pages.find(({ name }) => name === "docs/team-sandbox.md");
const blocks = guide === undefined ? [] : blocksOf(guide);

/** The first block with this text. */
const blockWith = (text: string): string => blocks.find(({ code }) => code.includes(text))?.code ?? "";

test("the contract suite runs on a workspace with the configuration, key and workspace of the guide", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "workspace-"));
  // Without the usual delays, the run waits less.
  const sandbox = await startSandbox({ delays: { delivery: 300, bounce: 200, complaint: 300 } });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
    await sandbox.close();
  });
  const config = join(folder, "contract.config.yaml");
  const report = join(folder, "report.json");
  writeFileSync(config, blockWith("simulatorDomain"));
  const [, body = ""] = /-d '(\{.*\})'/.exec(blockWith("requests_per_minute")) ?? [];
  const created = await sandbox.fetch("/sandbox/workspaces", { method: "POST", body });
  const { url } = (await created.json()) as { url: string };
  const [, key = ""] = /export CONTRACT_API_KEY=(\S+)/.exec(blockWith("export CONTRACT_API_KEY")) ?? [];
  vi.stubEnv("CONTRACT_API_KEY", key);
  const options = ["--base-url", url, "--config", config, "--json", report];
  const { status, out } = await runHere("contract", ...options);
  expect(out).toContain("no requirement fails");
  expect(status).toBe(3);
  const { requirements } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const missing = requirements
    .filter(({ verdict }) => verdict === "not verified")
    .map(({ reason }) => reason);
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.join("\n")).not.toMatch(/simulatorDomain|domains\.verified|hooks\./);
});

interface Report {
  requirements: { verdict: string; reason?: string }[];
}
