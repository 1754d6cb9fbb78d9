import { expect, onTestFinished } from "vitest";
import { openTestSite, type TestSite } from "../control/test-site.ts";

/** Reads the HTML of a page that exists. */
export type PageReader = (target: string) => Promise<string>;

/** A site of its own for a test. */
export async function openPages(): Promise<{ site: TestSite; textOf: PageReader }> {
  const site = await openTestSite();
  onTestFinished(() => site.store.close());
  return {
    site,
    async textOf(target) {
      const { status, body } = await site.request("GET", target);
      expect(status).toBe(200);
      return String(body);
    },
  };
}
