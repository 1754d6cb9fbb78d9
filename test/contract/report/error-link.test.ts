import { expect, test } from "vitest";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

const response = { status: 429, headers: {}, body: '{"error":{"type":"rate_limited"}}' };
const failed = outcome({
  verdict: "fail",
  failure: { expected: "status 202", found: "status 429", exchange: 0 },
  exchanges: [{ ...sampleExchange, response }],
});
const result = (docs?: string): ContractResult => resultOf([failed], [], docs === undefined ? {} : { docs });
const reports = { consoleText, htmlReport, markdownReport };

test.for(Object.entries(reports))("%s links an error to its row of the reference", ([, report]) => {
  expect(report(result("https://docs.test/mail/"))).toContain(
    "https://docs.test/mail/errors/#429-rate_limited",
  );
});

test.for(Object.entries(reports))("%s has no link without a reference", ([, report]) => {
  expect(report(result())).not.toContain("errors/#");
});

test("the page links a failure to its requirement and its error type in the reference", () => {
  const page = htmlReport(result("https://docs.test/mail/"));
  expect(page).toContain(`<a class="docs" href="https://docs.test/mail/requirements/#IDEM-1">Reference</a>`);
  expect(page).toContain(
    `<dt>Error</dt><dd><a href="https://docs.test/mail/errors/#429-rate_limited">429 rate_limited</a></dd>`,
  );
  expect(htmlReport(result())).not.toMatch(/class="docs"|<dt>Error/);
});
