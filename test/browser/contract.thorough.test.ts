import { expect, test } from "vitest";
import { verdictLine } from "../../contract/report/counts.ts";
import { hasBrowser } from "../sandbox/pages/browser.ts";
import { runInBrowser } from "./run.ts";

test.skipIf(!hasBrowser)(
  "the sandbox in the worker of a page passes every requirement that responses show",
  { timeout: 400_000 },
  async () => {
    const { result, errors, browser } = await runInBrowser();
    console.log(`${browser}: ${verdictLine(result)}`);
    expect(result.requirements.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(result.counts.pass).toBeGreaterThanOrEqual(225);
    expect(errors).toEqual([]);
  },
);
