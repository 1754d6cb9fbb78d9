import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { missingSettings } from "../../../contract/report/sections.ts";
import { nameOf, termsOf } from "../../../contract/selection.ts";
import { requirementsOf, unverifiable } from "../../../contract/verifiable.ts";
import { runContract } from "../../../scripts/contract/contract.ts";
import { runContractCommand } from "../../../scripts/contract/run-command.ts";
import { startTarget } from "../../../scripts/contract/targets.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runHere } from "../../scripts/run-here.ts";
import { complaint, folderWith } from "../config/folder.ts";

/** The ids of the checks that --grep selects. */
const idsOf = (grep: string): string[] => [
  ...new Set(planOf(demoSettings(), termsOf(grep)).flatMap(({ check }) => check.ids)),
];
const operationsOf = (grep: string) =>
  new Set(planOf(demoSettings(), termsOf(grep)).map(({ testCase }) => testCase.operation));

describe("--grep", () => {
  test("accepts ids in any case, several of them, and none that only begins like one", () => {
    expect(idsOf("send-3")).toContain("SEND-3");
    expect(idsOf("send-3")).not.toContain("SEND-30");
    for (const id of ["SEND-9", "LOOK-22"]) expect(idsOf("SEND-9, look-22")).toContain(id);
  });

  test.each([
    "rescheduleEmail",
    "rescheduleemail",
    "PATCH /api/v1/emails/{id}",
    "patch /emails/{message}",
    "patch /API/V1/Emails/{ID}",
  ])("accepts an operation or a path: %s", (grep) => {
    expect(operationsOf(grep)).toContain("rescheduleEmail");
    for (const other of ["sendEmail", "getEmail", "sendBatch"])
      expect(operationsOf(grep)).not.toContain(other);
  });

  test("accepts words and regular expressions, whose commas belong to them", () => {
    const names = planOf(demoSettings(), termsOf("idempotency [a-z,]{3,4} of a CONTACT")).map(({ check }) =>
      nameOf(check),
    );
    expect(names.length).toBeGreaterThan(0);
  });

  test.each([
    ["SEND-99", "--grep has SEND-99, which is not a requirement\nThe ids of this topic go from SEND-1 to"],
    ["NONE-1", "--grep has NONE-1, which is not a requirement\nGive an id, such as SEND-9"],
    [
      "/api/v1/nothing",
      "--grep has /api/v1/nothing, which is not an operation of this API\nIts operations: POST /api/v1/emails,",
    ],
    [
      "PUT /api/v1/emails",
      "--grep has PUT /api/v1/emails, which is not an operation of this API\nIts operations: POST /api/v1/emails,",
    ],
    ["", "--grep is empty\nIt accepts ids"],
    [" ,", "--grep is empty\nIt accepts ids"],
    ["(", '--grep must be a regular expression (got "(")\nIt accepts ids'],
  ])("rejects %s", async (grep, said) => {
    const { text, exitCode } = await complaint(Promise.resolve().then(() => termsOf(grep)));
    expect(text).toContain(said);
    expect(exitCode).toBe(2);
  });

  test.each([
    ["SEND-9", "newsletter", "Use --profile core or email or full."],
    ["GEN-2", "core", "It is a requirement for clients"],
    ["no such words", "core", "It accepts ids (SEND-9)"],
  ])("says where %s is if it is not in the profile %s", async (grep, profile, said) => {
    const { status, err } = await runHere(
      "contract",
      "--target",
      "sandbox",
      "--profile",
      profile,
      "--grep",
      grep,
    );
    expect(status).toBe(2);
    expect(err).toContain(`--grep has ${grep}, but no check of the profile ${profile} is about it`);
    expect(err.replaceAll(/\s+/g, " ")).toContain(said);
  });

  test("says so if all that it selects needs operations that the server does not have", async () => {
    const { settings, close } = await startTarget("sandbox", { profile: "core" });
    onTestFinished(close);
    vi.stubEnv("CONTRACT_API_KEY", settings.keys.full ?? "");
    onTestFinished(() => void vi.unstubAllEnvs());
    const text = JSON.stringify({ baseUrl: settings.baseUrl, notImplemented: ["sendBatch"] });
    const config = join(folderWith({ "contract.config.json": text }), "contract.config.json");
    for (const [grep, words] of [
      ["BATCH-1", "It needs operations of notImplemented."],
      ["sendbatch", "--grep has sendbatch, but that is in notImplemented"],
    ] as const) {
      const said = await complaint(runContractCommand({ config, grep }));
      expect([said.exitCode, said.text]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  test("can be given twice", async () => {
    const { err } = await runHere("contract", "--grep", "SEND-9", "--grep", "SEND-99");
    expect(err).toContain("--grep has SEND-99, which is not a requirement");
  });

  test("in the profile model, too, it is the only requirement of the run", () => {
    const settings = demoSettings("model");
    const grep = termsOf("HEAD-1");
    expect([...requirementsOf(settings, planOf(settings, grep), grep)]).toEqual(["HEAD-1"]);
    expect([...unverifiable({ ...settings, keys: {} }, planOf(settings, grep)).keys()]).toEqual([]);
  });

  test("leaves out of the result what responses show of other requirements", async () => {
    const { settings, close } = await startTarget("sandbox", { profile: "core" });
    const { requirements, counts } = await runContract({ settings, grep: termsOf("LIST-11,ME-3") });
    await close();
    expect(requirements.map(({ id }) => id)).toEqual(["LIST-11", "ME-3"]);
    expect(counts.pass).toBe(2);
  });
});

test("a setting that is missing counts the requirements that it makes verified, whatever --grep selects", async () => {
  const runs = [false, true].map(async (has) => {
    const { settings, close } = await startTarget("sandbox", { profile: "core" });
    if (!has) delete settings.hooks.failNext;
    return runContract({ settings, grep: termsOf("ERR-13, AUTH-1") }).finally(close);
  });
  const [without, whole] = await Promise.all(runs);
  expect(whole?.counts.notVerified).toBe(0);
  expect(without?.requirements.map(({ id }) => id)).toEqual(whole?.requirements.map(({ id }) => id));
  expect(without && missingSettings(without)).toEqual([{ settings: ["hooks.failNext"], ids: ["ERR-13"] }]);
});
