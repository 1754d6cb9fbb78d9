import { expect, test } from "vitest";
import { inBrowser } from "./opened.ts";
import { urlOf } from "./visit.ts";

const opened = inBrowser();

test("the requirements have a filter", async () => {
  await opened("requirements", async (page) => {
    await page.getByLabel("Filter").fill("batch-7");
    const rows = page.locator(".requirements > ul > li:visible");
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/^BATCH-7 /);
    expect(await page.locator(".requirements h2:visible").allInnerTexts()).toEqual(["Batch"]);
    await page.getByLabel("Filter").fill("");
    expect(await rows.count()).toBeGreaterThan(200);
  });
});

test("an id in the filter shows no longer ids, and a link finds it in any case", async () => {
  await opened("requirements", async (page) => {
    await page.getByLabel("Filter").fill("send-3 ");
    const rows = page.locator(".requirements > ul > li:visible");
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/^SEND-3 /);
    expect(await page.locator(".filter [role=status]").innerText()).toBe(
      "1 shown: check it with --grep SEND-3",
    );
    await page.getByLabel("Filter").fill("send-");
    expect(await rows.count()).toBeGreaterThan(30);
    await page.goto(`${urlOf("requirements")}#idem-2`);
    await page.reload();
    await expect.poll(() => new URL(page.url()).hash).toBe("#IDEM-2");
    const box = await page.locator(".requirements li:has(> p > #IDEM-2)").boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
  });
});

test("what is unspecified is shown with the requirements only, and leaves no empty lines", async () => {
  for (const path of ["operations/send-email", "limits", "errors", "objects/error-response"])
    await opened(path, async (page) => {
      // No details, tabs or guides: what a reader sees first.
      const shown = () => page.locator("main .sl-markdown-content").innerText();
      expect(await shown(), path).not.toMatch(/\bis unspecified|are unspecified/);
      const empty = page.locator("main p:visible", { hasNotText: /\S/ });
      const heights = await empty.evaluateAll((all) =>
        all.map((one) => (one as unknown as { offsetHeight: number }).offsetHeight),
      );
      expect(
        heights.filter((height) => height > 0),
        path,
      ).toEqual([]);
      await page.getByRole("switch", { name: "Show requirements" }).check();
      expect(await shown(), path).toMatch(/\bis unspecified|are unspecified/);
    });
});

test("a link to a requirement that the filter hides shows it", async () => {
  await opened("requirements", async (page) => {
    await page.getByLabel("Filter").fill("batch-7");
    const target = page.locator(".requirements li:has(#SEND-9)");
    expect(await target.isVisible()).toBe(false);
    await page.evaluate("location.hash = '#SEND-9'");
    await expect.poll(() => target.isVisible()).toBe(true);
    expect(await page.getByLabel("Filter").inputValue()).toBe("");
  });
});

test("a malformed fragment names nothing", async () => {
  await opened("requirements", async (page) => {
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    for (const hash of ["#%", "#%E0%A4%A", "#try=%"]) {
      await page.goto(`${urlOf("operations/send-email")}${hash}`);
      await page.reload();
      await page.evaluate("location.hash = '#%zz'");
    }
    await page.waitForTimeout(100);
    expect(errors).toEqual([]);
  });
});
