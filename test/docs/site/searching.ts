import type { Page } from "playwright-core";
import { metaWeights } from "../../../scripts/docs/search/keywords.ts";
import { siteUrl } from "./visit.ts";

/** What the search finds for a term. */
export interface Found {
  count: number;
  /** The first ones. */
  results: { urls: string[]; hasTerm: boolean }[];
}

/** The results for each term with the ranking of the site: the URL of each, and those of what is found below it. */
export const searchIn =
  (open: (path: string) => Promise<Page>) =>
  async (terms: readonly string[], most = 2): Promise<Found[]> => {
    const page = await open("");
    return page.evaluate<Found[]>(`(async () => {
    const pagefind = await import("${siteUrl}pagefind/pagefind.js");
    await pagefind.options({ ranking: { metaWeights: ${JSON.stringify(metaWeights)} } });
    const found = [];
    for (const term of ${JSON.stringify(terms)}) {
      const { results } = await pagefind.search(term);
      const shown = await Promise.all(results.slice(0, ${most}).map((result) => result.data()));
      found.push({
        count: results.length,
        results: shown.map(({ url, content, sub_results }) => ({
          urls: [url, ...sub_results.map((below) => below.url)].map((one) => new URL(one, location.href).href),
          hasTerm: content.includes(term),
        })),
      });
    }
    return found;
  })()`);
  };
