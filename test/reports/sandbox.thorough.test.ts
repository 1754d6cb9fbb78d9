import { join } from "node:path";
import { expect, test } from "vitest";
import { readReport } from "../../contract/report/json.ts";
import { claimOf, publishedReport } from "../../contract/report/publish.ts";
import { reportsFolder } from "../../scripts/common/paths.ts";
import { sandboxResult } from "./sandbox.ts";

test("the sandbox has the verdicts of its published report: npm run reports -- sandbox", {
  timeout: 240_000,
}, async () => {
  const written = readReport(join(reportsFolder, "sandbox.json"));
  const report = publishedReport(await sandboxResult());
  expect(claimOf({ ...report, startedAt: written.startedAt })).toEqual(claimOf(written));
});
