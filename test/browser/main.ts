// `npm run contract:browser`: runs the whole contract suite against the sandbox of the reference site, in the worker of a page in Chromium.
// Prints which requirements pass, and why the others are not tested. Ends with 1 if one does not pass.
import { verdictLine } from "../../contract/report/counts.ts";
import { runInBrowser } from "./bridge.ts";

const { result, errors, browser } = await runInBrowser();
const seconds = (result.durationMilliseconds / 1_000).toFixed(0);
console.log(`${browser}: ${verdictLine(result)}; ${result.requests} requests in ${seconds} s`);
for (const { id, verdict, reason = "" } of result.requirements)
  if (verdict !== "pass") console.log(`  ${verdict}: ${id} ${reason}`);
for (const { title, cases } of result.checks)
  for (const { verdict, failure } of cases)
    if (verdict === "fail") console.log(`  ${title}: expected ${failure?.expected}, found ${failure?.found}`);
console.log(`${result.notTested.length} requirements that no server can show in responses are not tested:`);
for (const [reason, rows] of Map.groupBy(result.notTested, (row) => row.reason))
  console.log(`  ${rows.map(({ id }) => id).join(", ")}: ${reason}`);
for (const error of errors) console.log(`Error of the sandbox: ${error}`);
process.exitCode = result.exitCode === 0 && errors.length === 0 ? 0 : 1;
