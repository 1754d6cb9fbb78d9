import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { withDiscoveredFixtures } from "../../contract/config/discover.ts";
import { settingsFrom } from "../../contract/config/load.ts";
import { commonProfiles } from "../../contract/engine/settings.ts";
import { diagnose } from "../../contract/report/causes.ts";
import { findingInShort, findingText, sectionText, summaryText } from "../../contract/report/console.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { sectionsOf } from "../../contract/report/sections.ts";
import { termsOf } from "../../contract/selection.ts";
import { usageError } from "../../lib/user-error.ts";
import { casesOf, testClient } from "../client-suite/run-command.ts";
import { runContract } from "../contract/contract.ts";
import { assertInProfile } from "../contract/run-command.ts";
import { accountsOf, type UsedSandbox } from "./accounts.ts";
import { type AddTool, offsetField, partOf, textField } from "./tool.ts";

const testFields = {
  base_url: textField("of the server, such as http://127.0.0.1:8080"),
  driver: textField("the command of a driver, which the user has allowed"),
  profile: z.enum(commonProfiles).optional().describe("default: core for a server, full for a client"),
  grep: textField("only these checks: ids (SEND-9), operations (sendEmail) or words, separated by commas"),
  settings: z.looseObject({}).optional().describe("what contract.config.yaml has: guides/testing-a-server"),
};
type TestInput = z.output<z.ZodObject<typeof testFields>>;

/** How far a run is. It goes on when the call that began it has returned: clients wait for about a minute. */
interface Progress {
  done: number;
  total: number;
  isStopped: boolean;
}

/** Milliseconds until a call returns. */
const patience = 45_000;

/** Adds the tools that run the suites and explain the last run. @param drivers the commands that the user allows */
export function addRunTools(add: AddTool, used: UsedSandbox, drivers: readonly string[]): void {
  let running: { result: Promise<ContractResult>; progress: Progress } | undefined;
  let last: ContractResult | undefined;
  const begin = (input: TestInput): void => {
    if (running !== undefined) running.progress.isStopped = true;
    const progress = { done: 0, total: 0, isStopped: false };
    const isOfServer = input.driver === undefined;
    const result = isOfServer ? testServer(input, used, progress) : testDriver(input, drivers, progress);
    running = { result, progress };
  };
  add(
    "test",
    "Run the contract suite on the server at base_url, or the client suite on a driver. Returns verdicts and numbered findings; explain shows one in full. A long run goes on after 45 s: call test without arguments to wait for it. If CONTRACT_API_KEY is not set, a server on this machine must have the accounts of the sandbox.",
    testFields,
    async (input) => {
      if (Object.keys(input).length > 0) begin(input);
      if (running === undefined) throw usageError("there is no run", "Give base_url or driver.");
      const { result, progress } = running;
      const end = result.then(
        () => true,
        () => true,
      );
      if (!(await Promise.race([end, setTimeout(patience, false, { ref: false })])))
        return `${progress.done} of ${progress.total} test cases are done. Call test without arguments to wait.`;
      // Another call may have begun a new run.
      if (running?.result === result) running = undefined;
      last = await result;
      return partOf(overview(last));
    },
  );
  add(
    "explain",
    "Explain a failure of the last run: what was expected and found, and its requests. Without id: all verdicts and findings of that run.",
    { id: textField("the number of a finding, or a requirement (SEND-9)"), offset: offsetField },
    ({ id, offset }) => {
      if (last === undefined) throw usageError("no run has ended yet", "Run a suite with the tool test.");
      return partOf(id === undefined ? overview(last) : explanation(last, id.trim().toUpperCase()), offset);
    },
  );
}

/** Notes how far a run is. @returns whether it goes on */
const noteIn =
  (progress: Progress) =>
  (done: number, total: number): boolean => {
    Object.assign(progress, { done, total });
    return !progress.isStopped;
  };

/** A server with the accounts of the sandbox needs no settings. */
async function testServer(
  { base_url: baseUrl, settings: given, profile, grep }: TestInput,
  used: UsedSandbox,
  progress: Progress,
) {
  const { env, settings: own } = accountsOf(baseUrl ?? "", used);
  const source = { name: "settings", value: { ...own, ...given } };
  const { keyVariables, ...settings } = settingsFrom(source, undefined, { baseUrl, profile, env });
  const terms = grep === undefined ? undefined : termsOf(grep);
  if (terms) assertInProfile(terms, settings);
  return runContract({
    settings: await withDiscoveredFixtures(settings, { keyVariable: keyVariables.full }),
    grep: terms,
    keyVariables,
    onProgress: noteIn(progress),
    onOutcome: () => !progress.isStopped,
  });
}

async function testDriver(
  { driver = "", profile = "full", grep }: TestInput,
  drivers: readonly string[],
  progress: Progress,
) {
  const allowed = drivers.map((one) => JSON.stringify(one)).join(", ") || "none";
  if (!drivers.includes(driver))
    throw usageError(
      `the driver ${JSON.stringify(driver)} is not allowed; those that are: ${allowed}`,
      "It runs code. Only the user can allow it, with --allow-driver and its command for this MCP server.",
    );
  const cases = casesOf({ profile, ...(grep !== undefined && { grep }) });
  return testClient({ driver, profile, cases, onProgress: noteIn(progress) });
}

/** Verdicts, findings with their numbers, and what is not verified. */
function overview(result: ContractResult): string {
  const findings = diagnose(result).map((one, index) => findingInShort(one).replace(/^-/, `${index + 1}.`));
  const list = findings.length === 0 ? [] : ["Findings, each in full with explain:", ...findings];
  return [summaryText(result), list.join("\n"), ...sectionsOf(result).map(sectionText)]
    .filter(Boolean)
    .join("\n\n");
}

/** A finding by its number, or by a requirement that fails because of it; for other requirements, why. */
function explanation(result: ContractResult, id: string): string {
  const findings = diagnose(result);
  const finding = findings[Number(id) - 1] ?? findings.find(({ ids }) => ids.includes(id));
  if (finding !== undefined) {
    const { steps, exchanges } = finding.first;
    const requests = [...steps, ...exchanges].map((one) => JSON.stringify(one, null, 1));
    return [findingText(result, finding), "Its requests, as recorded:", ...requests].join("\n\n");
  }
  const rows = [...result.requirements, ...result.notTested].filter((one) => one.id === id);
  const cases = result.checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
  if (rows.length > 0) return JSON.stringify([...rows, ...cases.filter(({ reason }) => reason)], null, 1);
  throw usageError(`the run has no finding or requirement ${id}`, "Call explain without id.");
}
