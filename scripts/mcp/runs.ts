import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { missingKey, withDiscoveredFixtures } from "../../contract/config/discover.ts";
import { settingsFrom } from "../../contract/config/load.ts";
import type { Fetch } from "../../contract/engine/http.ts";
import { realTime } from "../../contract/engine/run.ts";
import { commonProfiles } from "../../contract/engine/settings.ts";
import { causesSection, diagnose, type Finding } from "../../contract/report/causes.ts";
import { sectionText, summaryText } from "../../contract/report/console.ts";
import { findingInShort, findingText } from "../../contract/report/finding-text.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { sectionsOf } from "../../contract/report/sections.ts";
import { termsOf } from "../../contract/selection.ts";
import { usageError } from "../../lib/user-error.ts";
import { isLoopback } from "../../sandbox/http/hosts.ts";
import { casesOf, testClient } from "../client-suite/run-command.ts";
import { runContract } from "../contract/contract.ts";
import { progressLine } from "../contract/output.ts";
import { assertInProfile } from "../contract/run-command.ts";
import { accountsOf, type UsedSandbox } from "./accounts.ts";
import { assertAllowed } from "./network.ts";
import { type AddTool, assertUnused, offsetField, partOf, textField, urlField } from "./tool.ts";
import { inWordsOfTools } from "./words.ts";

const testFields = {
  base_url: urlField("of the server, such as http://127.0.0.1:8080"),
  driver: textField("the command of a driver, which the user has allowed"),
  profile: z.enum(commonProfiles).optional().describe("default: core for a server, full for a client"),
  grep: textField("only these checks: ids (SEND-9), operations (sendEmail) or words, separated by commas"),
  settings: z
    .looseObject({})
    .refine((one) => !("expectedFailures" in one), "must not have expectedFailures: this tool reads no files")
    .optional()
    .describe("what contract.config.yaml has: show settings, or a part, such as settings.hooks"),
};
type TestInput = z.output<z.ZodObject<typeof testFields>>;

type Means = Omit<ReturnType<typeof progressLine>, "end"> & { signal: AbortSignal };

/** Milliseconds until a call returns: clients wait for about a minute. The run continues. */
const callTimeout = 45_000;
const wait = "Call test without arguments to wait for it.";

/** Adds the tools that run the suites and explain the last run. @param drivers the commands that the user allows */
export function addRunTools(add: AddTool, used: UsedSandbox, drivers: readonly string[]): void {
  let run: Promise<ContractResult> | undefined;
  /** Empty if no run is in progress. */
  let progress = "";
  let last: ContractResult | undefined;
  let cancellation = new AbortController();
  const assertIdle = (): void => {
    if (progress !== "") throw usageError(`a run is in progress: ${progress}`, wait);
  };
  const start = async (input: TestInput): Promise<ContractResult> => {
    // Without what clears the line of a terminal.
    const write = (line: string): string => (progress = line.replace(/^\r\S+?K/, ""));
    const { end, ...shown } = progressLine({ isTTY: true, write });
    const { signal } = cancellation;
    const means = { ...shown, signal };
    progress = "no test case is done yet";
    last = undefined;
    const result = input.driver ? testDriver(input, drivers, means) : testServer(input, used, means);
    last = await result.finally(() => {
      end();
      if (signal.aborted)
        throw usageError("the run was canceled", "Give base_url or driver to start another.");
    });
    return last;
  };
  add(
    "test",
    "Run the contract suite on the server at base_url, or the client suite on a driver. Returns verdicts and numbered findings; explain shows one in full. A long run continues after 45 s: call test without arguments to wait for it. If CONTRACT_API_KEY is not set, a server on this machine must have the accounts that sandbox lists.",
    testFields,
    async (input, canceled) => {
      if (Object.keys(input).length > 0) {
        // It ends soon.
        if (cancellation.signal.aborted) await run?.catch(() => {});
        assertIdle();
        cancellation = new AbortController();
        run = start(input);
      }
      if (run === undefined) throw usageError("there is no run", "Give base_url or driver.");
      const { signal } = cancellation;
      canceled.addEventListener("abort", () => cancellation.signal === signal && cancellation.abort());
      await Promise.race([run.catch(() => {}), setTimeout(callTimeout, undefined, { ref: false })]);
      if (progress !== "") return `The run is in progress: ${progress}. ${wait}`;
      return partOf(overview(await run), 0, "explain with offset");
    },
  );
  add(
    "explain",
    "Explain a failure of the last run: what was expected and found, and its requests. Without id: all verdicts and findings of that run.",
    { id: textField("the number of a finding, or a requirement (SEND-9)"), offset: offsetField },
    ({ id, offset }) => {
      assertIdle();
      if (last === undefined) throw usageError("no run has ended yet", "Run a suite with the tool test.");
      return partOf(id === undefined ? overview(last) : explanation(last, id.trim().toUpperCase()), offset);
    },
  );
}

/** A server with the accounts of the sandbox needs no settings. */
async function testServer(input: TestInput, used: UsedSandbox, { signal, ...means }: Means) {
  const { base_url: baseUrl, settings: given, profile, grep } = input;
  if (baseUrl === undefined)
    throw usageError("base_url is missing", "Give that of a server, or the driver of a client.");
  assertUnused("base_url", { "settings.baseUrl": given?.baseUrl });
  if (profile !== undefined) assertUnused("profile", { "settings.profile": given?.profile });
  const { env, settings: own } = await accountsOf(baseUrl, used);
  // What is set is not left out.
  const without = own.without?.filter((name) => !Object.hasOwn(given ?? {}, name));
  const source = { name: "settings", value: { ...own, ...(without && { without }), ...given, baseUrl } };
  const { keyVariables, ...settings } = settingsFrom(source, undefined, { profile, env });
  for (const port of [settings.fixtures.mailbox, settings.fixtures.attachmentServer])
    if (!isLoopback(port?.host ?? "localhost"))
      throw usageError(`the host ${port?.host} is not of this machine`, "Leave host out.");
  for (const hook of Object.values(settings.hooks)) if ("url" in hook) assertAllowed(hook.url);
  const terms = grep === undefined ? undefined : termsOf(grep);
  if (terms) assertInProfile(terms, settings);
  const send: Fetch = (url, init) =>
    fetch(url, { ...init, signal: AbortSignal.any([signal, init.signal ?? signal]) });
  const wait = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { signal });
  const cancelable = { fetch: send, time: { ...realTime, wait } };
  const discovered = await withDiscoveredFixtures(settings, {
    ...cancelable,
    keyVariable: keyVariables.full,
  });
  if (settings.keys.full === undefined) throw missingKey();
  const onOutcome = (): boolean => !signal.aborted;
  return runContract({ settings: discovered, grep: terms, keyVariables, ...means, ...cancelable, onOutcome });
}

async function testDriver(input: TestInput, drivers: readonly string[], means: Means) {
  const { driver = "", profile = "full", grep, base_url, settings } = input;
  assertUnused("driver", { base_url, settings });
  const allowed = drivers.map((one) => JSON.stringify(one)).join(", ") || "none";
  if (!drivers.includes(driver))
    throw usageError(
      `the driver ${JSON.stringify(driver)} is not allowed; those that are: ${allowed}`,
      "It runs code. Only the user can allow it, with --allow-driver and its command for this MCP server.",
    );
  const cases = casesOf({ profile, ...(grep !== undefined && { grep }) });
  return testClient({ driver, profile, cases, ...means });
}

/** Verdicts, findings with their numbers, and what is not verified. */
function overview(result: ContractResult): string {
  const all = diagnose(result);
  const findings = all.map((one, index) => findingInShort(one).replace(/^-/, `${index + 1}.`));
  const list = findings.length === 0 ? [] : ["Findings, each in full with explain:", ...findings];
  // Findings quote the server.
  const [summary, ...sections] = [summaryText(result), ...sectionsOf(result).map(sectionText)].map(
    inWordsOfTools,
  );
  return [summary, list.join("\n"), ...missingText(all), ...sections].filter(Boolean).join("\n\n");
}

/** The operations that are missing, and the setting that takes them out of the run. */
const missingText = (findings: readonly Finding[]): string[] =>
  causesSection(findings.filter(({ missing }) => missing)).map(sectionText);

/** A finding by its number, or by a requirement that fails because of it; for other requirements, why. */
function explanation(result: ContractResult, id: string): string {
  const findings = diagnose(result);
  const finding = findings[Number(id) - 1] ?? findings.find(({ ids }) => ids.includes(id));
  if (finding !== undefined) {
    const { steps, exchanges } = finding.first;
    const requests = [...steps, ...exchanges].map((one) => JSON.stringify(one, null, 1));
    // The requests are below.
    const text = findingText(result, finding).replace("The curl command is long: see the HTML report.", "");
    return [text, ...missingText([finding]), "Its requests, as recorded:", ...requests].join("\n\n");
  }
  const rows = [...result.requirements, ...result.notTested].filter((one) => one.id === id);
  const cases = result.checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
  if (rows.length > 0) return JSON.stringify([...rows, ...cases.filter(({ reason }) => reason)], null, 1);
  throw usageError(`the run has no finding or requirement ${id}`, "Call explain without id.");
}
