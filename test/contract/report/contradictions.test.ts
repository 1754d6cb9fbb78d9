import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientRequirements } from "../../../contract/client-suite/run-client.ts";
import { jsonText, readReport } from "../../../contract/report/json.ts";
import { claimIn, type Group, readMatrix } from "../../../contract/report/matrix.ts";
import { reportsFolder } from "../../../scripts/common/paths.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

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

const withVerdict = (report: typeof server, id: string, verdict: string) => ({
  ...report,
  requirements: report.requirements.map((one) => (one.id === id ? { ...one, verdict } : one)),
  counts: { ...report.counts, pass: report.counts.pass - 1, fail: report.counts.fail + 1 },
});
const without = ({ requirements, counts, ...report }: typeof server, id: string) => ({
  ...report,
  requirements: requirements.filter((one) => one.id !== id),
  counts: { ...counts, pass: counts.pass - 1 },
});
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
    withVerdict(server, "SEND-1", "fail"),
    'has "passed" at /levels/0/state, by its verdicts "not passed"',
  ],
  [
    "a level that is passed although a requirement is missing",
    without(server, "SEND-1"),
    'has "passed" at /levels/0/state, by its verdicts "not passed"',
  ],
  [
    "a client whose requirement is missing",
    without(client, "GEN-1"),
    'has "passed with exceptions" at /levels/0/state, by its verdicts "not passed"',
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
    "has a check of SEND-1 that fails, and no such verdict",
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

test("the matrix rejects the same report twice, and reads a report of tomorrow", async () => {
  await expect(matrixWith(server, server)).rejects.toThrow(/1\.json is the same report as .*0\.json/);
  expect(await matrixWith(server, { ...server, startedAt: soon(0.5) })).toHaveLength(1);
});

test("the levels of another version are those that the report states, unless its own verdicts contradict them", async () => {
  const tool = { ...server.tool, version: "0.9.0" };
  const [group] = await matrixWith({ ...without(server, "SEND-1"), tool });
  expect(group?.implementations.map(({ report }) => claimIn(report).text)).toEqual(["Full, as stated"]);
  const levels = server.levels?.map((level) => ({ ...level, failed: ["SEND-1"] }));
  await expect(matrixWith({ ...withVerdict(server, "SEND-1", "fail"), tool, levels })).rejects.toThrow(
    'has "passed" at /levels/0/state, by its verdicts "not passed"',
  );
});
