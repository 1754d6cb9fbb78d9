import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientRequirements } from "../../../contract/client-suite/run-client.ts";
import { jsonText, readReport } from "../../../contract/report/json.ts";
import { claimIn, type Group, readMatrix } from "../../../contract/report/matrix.ts";
import { byTopicOf, countsOf } from "../../../contract/report/summarize.ts";
import { reportsFolder } from "../../../scripts/common/paths.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { oneOfEach, resultOf } from "./samples.ts";

const [server, client] = ["second-server", "go-oapi-codegen"].map((name) =>
  readReport(join(reportsFolder, `${name}.json`)),
) as [ReturnType<typeof readReport>, ReturnType<typeof readReport>];

/** What the matrix says to reports, each with its changes. */
async function matrixWith(...reports: object[]): Promise<Group[]> {
  const folder = temporaryFolder();
  const files = reports.map((_, index) => join(folder, `${index}.json`));
  await Promise.all(files.map((file, index) => writeFile(file, jsonText(reports[index]))));
  return readMatrix(files, clientRequirements);
}

const withRequirements = (report: typeof server, requirements: typeof server.requirements) => ({
  ...report,
  requirements,
  counts: countsOf(requirements),
  byTopic: byTopicOf(requirements),
});
const withFailure = (report: typeof server, id: string) => ({
  ...withRequirements(
    report,
    report.requirements.map((one) => (one.id === id ? { ...one, verdict: "fail" as const } : one)),
  ),
  exitCode: 1 as const,
});
const without = (report: typeof server, id: string) =>
  withRequirements(
    report,
    report.requirements.filter((one) => one.id !== id),
  );
const failing = {
  ...{ ids: ["SEND-1"], title: "a check", tags: [], verdict: "fail" },
  cases: [{ title: "", operation: "sendEmail", verdict: "fail", exchanges: [], milliseconds: 1 }],
};
const soon = (days: number): string => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();

test("published reports of this project do not contradict themselves", async () => {
  expect(await matrixWith(server, client)).toHaveLength(2);
});

test.each([
  [
    "a level that is passed although a requirement fails",
    withFailure(server, "SEND-1"),
    "says that the level Core is passed, without SEND-1",
  ],
  [
    "a level that is passed although a requirement is missing",
    without(server, "SEND-1"),
    "says that the level Core is passed, without SEND-1",
  ],
  [
    "a client whose requirement is missing",
    without(client, "GEN-1"),
    "says that the level Core is passed with exceptions, without GEN-1",
  ],
  [
    "a level that the profile does not show",
    { ...server, profile: "email" },
    'has {"id":"core","title":"Core","state":"passed",',
  ],
  [
    "a setting that is not left out",
    { ...server, levels: server.levels?.map((level) => ({ ...level, leftOut: ["template"] })) },
    'has ["template"] at /levels/0/leftOut, by its verdicts absent',
  ],
  [
    "a level that is passed without an operation, by another version",
    { ...server, tool: { ...server.tool, version: "2.0.0" }, notImplemented: ["sendBatch"] },
    "says that the level Core is passed, without sendBatch",
  ],
  [
    "another exit code",
    { ...server, levels: [], ...withFailure({ ...server, levels: [] }, "SEND-1"), exitCode: 0 },
    "has 0 at /exitCode, by its verdicts 1",
  ],
  [
    "another count of a topic",
    { ...server, byTopic: server.byTopic.map((row, index) => ({ ...row, pass: row.pass + index })) },
    "has 19 at /byTopic/1/pass, by its verdicts 18",
  ],
  [
    "another count",
    { ...server, counts: { ...server.counts, pass: 9999 } },
    `has 9999 at /counts/pass, by its verdicts ${server.counts.pass}`,
  ],
  [
    "a requirement twice",
    { ...server, requirements: [...server.requirements, server.requirements[0]] },
    `has the requirement ${server.requirements[0]?.id} twice`,
  ],
  [
    "a check that fails",
    { ...server, checks: [failing] },
    "has a check of SEND-1 with the verdict fail, and no such verdict",
  ],
  [
    "a check that is not verified",
    { ...server, checks: [{ ...failing, verdict: "not verified", cases: [] }] },
    "has a check of SEND-1 with the verdict not verified, and no such verdict",
  ],
  [
    "a requirement that nothing shows",
    {
      ...server,
      requirements: server.requirements.map((one) => (one.id === "AUTH-2" ? { ...one, passed: 0 } : one)),
    },
    "has the verdict pass for AUTH-2, and nothing that passes",
  ],
  [
    "an exception that expired before the run",
    {
      ...client,
      expectedFailures: client.expectedFailures?.map((one) => ({ ...one, until: "2026-01-31" })),
    },
    `has an exception for ${client.expectedFailures?.[0]?.id} until 2026-01-31, before the run`,
  ],
  [
    "an exception without a reason",
    { ...client, expectedFailures: [] },
    "has no entry of expectedFailures for",
  ],
  [
    "a day after tomorrow",
    { ...server, startedAt: "2999-01-01T00:00:00Z" },
    'has a day after tomorrow in startedAt (got "2999-01-01T00:00:00Z")',
  ],
])("the matrix rejects a report with %s", async (_, report, problem) => {
  const matrix = matrixWith(report);
  await expect(matrix).rejects.toThrow(`0.json ${problem}`);
  await expect(matrix).rejects.toMatchObject({ exitCode: 2 });
});

test("the matrix reads a report with an exception whose last day is that of the run", async () => {
  const expectedFailures = client.expectedFailures?.map((one) => ({
    ...one,
    until: client.startedAt.slice(0, 10),
  }));
  expect(await matrixWith({ ...client, expectedFailures })).toHaveLength(1);
});

test("the matrix reads a complete report, with checks that fail and are not verified", async () => {
  const report = resultOf(oneOfEach, [], { implementation: { name: "Postbox", version: "1" } });
  expect(report.requirements.map(({ verdict }) => verdict)).toEqual(
    expect.arrayContaining(["pass", "fail", "not verified", "error"]),
  );
  expect(await matrixWith(report)).toHaveLength(1);
});

test("the matrix rejects the same report twice, and reads a report of tomorrow", async () => {
  await expect(matrixWith(server, server)).rejects.toThrow(/1\.json is the same report as .*0\.json/);
  expect(await matrixWith(server, { ...server, startedAt: soon(0.5) })).toHaveLength(1);
});

test("the levels of another version are those that the report states, unless its own verdicts contradict them", async () => {
  const tool = { ...server.tool, version: "0.9.0" };
  const [group] = await matrixWith({ ...without(server, "SEND-1"), tool });
  expect(group?.implementations.map(({ report }) => claimIn(report))).toEqual([
    { text: "Full, as stated", state: "stated" },
  ]);
  const levels = server.levels?.map((level) => ({ ...level, failed: ["SEND-1"] }));
  await expect(matrixWith({ ...withFailure(server, "SEND-1"), tool, levels })).rejects.toThrow(
    "says that the level Core is passed, without SEND-1",
  );
});
