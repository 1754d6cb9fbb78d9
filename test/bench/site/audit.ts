import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export const devices = ["mobile", "desktop"] as const;
type Device = (typeof devices)[number];

/** The categories of Lighthouse, with the heads of their columns. */
export const categories = {
  performance: "perf.",
  accessibility: "access.",
  "best-practices": "practices",
  seo: "SEO",
} as const;

/** What Lighthouse found on a page. */
export interface Audited {
  page: string;
  device: Device;
  /** From 0 to 100, in the order of the categories. */
  scores: number[];
  /** What the page transferred. */
  bytes: number;
  /** The hosts that it requested something from. */
  hosts: string[];
  /** The audits below their best score that count, with what they measured. */
  problems: string[];
}

/** The part of Lighthouse that is used; its package is installed without types of the project. */
interface Report {
  categories: Record<
    string,
    { score: number | null; auditRefs: { id: string; weight: number }[] } | undefined
  >;
  audits: Record<string, Detail | undefined>;
  runtimeError?: { message: string };
}
interface Detail {
  score: number | null;
  title: string;
  displayValue?: string;
  details?: { items?: { url?: string; transferSize?: number }[] };
}
type Run = (url: string, flags: object, config?: unknown) => Promise<{ lhr: Report } | undefined>;

const packages = createRequire(new URL("lighthouse/package.json", import.meta.url));
const load = async <Value>(name: string): Promise<Value> =>
  ((await import(pathToFileURL(packages.resolve(name)).href)) as { default: Value }).default;

interface AuditOptions {
  /** The URL of the site, ending with a slash. */
  url: string;
  page: string;
  device: Device;
  /** The port of the browser's protocol. */
  port: number;
}

/** Runs Lighthouse on a page, with its own settings for the device. */
export async function audit({ url, page, device, port }: AuditOptions): Promise<Audited> {
  const lighthouse = await load<Run>("lighthouse");
  const config = device === "desktop" ? await load("lighthouse/core/config/desktop-config.js") : undefined;
  const flags = { port, output: "json", logLevel: "error", onlyCategories: Object.keys(categories) };
  const report = (await lighthouse(`${url}${page}`, flags, config))?.lhr;
  if (report === undefined || report.runtimeError !== undefined)
    throw new Error(`Lighthouse cannot audit ${url}${page}: ${report?.runtimeError?.message ?? "no report"}`);
  const requests = report.audits["network-requests"]?.details?.items ?? [];
  const remote = requests.filter((request) => request.url?.startsWith("http"));
  return {
    page,
    device,
    scores: Object.keys(categories).map((name) => Math.round((report.categories[name]?.score ?? 0) * 100)),
    bytes: remote.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0),
    hosts: [...new Set(remote.map((request) => new URL(request.url ?? "").host))],
    problems: Object.keys(categories).flatMap((name) => problemsOf(report, name)),
  };
}

function problemsOf({ categories: all, audits }: Report, category: string): string[] {
  const counted = (all[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  return counted.flatMap(({ id }) => {
    const { score = null, title = id, displayValue = "" } = audits[id] ?? {};
    return score === null || score >= 0.9 ? [] : `${title} (${id}) ${displayValue}`.trim();
  });
}
