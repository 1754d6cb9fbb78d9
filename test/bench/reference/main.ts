// `npm run bench:reference`: this site beside other references of the same OpenAPI document. It installs them into a temporary folder.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { root } from "../../../scripts/common/paths.ts";
import { readTrace } from "../../../scripts/docs/pages/trace.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { factsOf } from "../../docs/site/facts/facts.ts";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import { type Reference, scalar, starlightPlugin, thisSite } from "./builds.ts";
import { countFacts } from "./count-facts.ts";
import { type Findings, measure } from "./measure.ts";

const { values } = parseArgs({ options: { screenshots: { type: "string" } } });

/** Each reference, and its page of sendEmail. */
const contenders: [(folder: string) => Promise<Reference>, string][] = [
  [thisSite, "operations/send-email/"],
  [starlightPlugin, "api/operations/sendemail/"],
  [scalar, ""],
];

async function run(folder: string): Promise<void> {
  const facts = factsOf(await readBundle(), await readTrace());
  const browser = await openBrowser();
  const columns: [string, string[][]][] = [];
  try {
    for (const [index, [build, send]] of contenders.entries()) {
      const parent = join(folder, String(index));
      await mkdir(parent);
      const reference = await build(parent);
      const screenshots = values.screenshots && join(values.screenshots, reference.name.replaceAll(" ", "-"));
      const found = await measure(browser, reference.folder, { send, screenshots });
      const title = `${reference.name} ${reference.version}`;
      columns.push([title, [...figures(reference, found), ...countFacts(facts, found.text)]]);
    }
  } finally {
    await browser.close();
  }
  const rows = columns[0]?.[1].map(([name = ""]) => name) ?? [];
  const table = new Table({ head: ["", ...columns.map(([title]) => title)] });
  for (const [index, name] of rows.entries())
    table.push([name, ...columns.map(([, cells]) => cells[index]?.[1] ?? "")]);
  console.log(table.toString());
}

const figures = ({ seconds }: Reference, found: Findings): string[][] => [
  ["build, s", seconds === 0 ? "none" : seconds.toFixed(1)],
  ["pages", String(found.pages)],
  ["page of sendEmail: KB transferred", found.kilobytes.toFixed(0)],
  ["requests", String(found.requests)],
  ["other hosts", found.otherHosts.join(", ") || "none"],
  ["height at 1440 px", String(found.height.wide)],
  ["height at 390 px", String(found.height.narrow)],
  ["axe: rules (elements)", `${found.axe.rules.join(", ") || "none"} (${found.axe.elements})`],
  ["characters without JavaScript", String(found.withoutScripts)],
];

await mkdir(join(root, ".build"), { recursive: true });
const folder = await mkdtemp(join(root, ".build/references-"));
try {
  await run(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
