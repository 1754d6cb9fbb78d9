// `npm run bench:site`: Lighthouse on pages of the built reference site. Exit code 1 if a score or the first page's weight misses its target.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import Table from "cli-table3";
import { root } from "../../scripts/common/paths.ts";
import { buildSite } from "../../scripts/docs/build.ts";
import { siteConfig } from "../../scripts/docs/config/site-config.ts";
import { publish } from "./publish.ts";
import { type Audited, audit, categories, devices } from "./site/audit.ts";
import { startBrowser } from "./site/browser.ts";

const leastScore = 98;
const mostBytes = 250_000;
const pages = ["", "operations/send-email/", "errors/"];

function print(results: readonly Audited[]): void {
  const table = new Table({
    head: ["page", "device", ...Object.values(categories), "KB", "hosts"],
    style: { head: [], border: [] },
  });
  for (const { page, device, scores, bytes, hosts } of results)
    table.push([
      page || "first page",
      device,
      ...scores.map(String),
      (bytes / 1000).toFixed(0),
      String(hosts.length),
    ]);
  console.log(table.toString());
  for (const { page, device, problems } of results)
    for (const problem of problems) console.log(`${page || "first page"}, ${device}: ${problem}`);
  console.log(
    `Target: each score at least ${leastScore}, the first page at most ${mostBytes / 1000} KB, one host. Network and CPU are throttled by simulation.`,
  );
}

const isMissed = ({ page, scores, bytes, hosts }: Audited): boolean =>
  scores.some((score) => score < leastScore) || hosts.length > 1 || (page === "" && bytes > mostBytes);

await mkdir(join(root, ".build"), { recursive: true });
const parent = await mkdtemp(join(root, ".build/bench-"));
const folder = join(parent, "site");
const server = await publish(folder);
const browser = await startBrowser();
try {
  // Lighthouse rejects a page without a canonical URL of its own host, so the site knows its URL.
  await buildSite(siteConfig({ out: folder, siteUrl: server.url }));
  const results: Audited[] = [];
  for (const page of pages)
    for (const device of devices)
      results.push(await audit({ url: server.url, page, device, port: browser.port }));
  print(results);
  process.exitCode = results.some(isMissed) ? 1 : 0;
} finally {
  await browser.close();
  await server.close();
  await rm(parent, { recursive: true, force: true });
}
