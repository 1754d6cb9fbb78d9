import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { inBrowser, type PageOptions } from "./visit.ts";

/** The button that opens the sandbox. */
export const tryIt = (page: Page): Locator => page.locator("[data-try] button").first();

export const bench = (page: Page): Locator => page.locator(".bench");
export const button = (page: Page, name: string): Locator => bench(page).getByRole("button", { name });
export const field = (page: Page, name: string): Locator => bench(page).getByLabel(name, { exact: true });
export const response = (page: Page): Locator => page.locator("#try-response");
export const messages = (page: Page): Locator => page.locator(".outbox li");

/** Waits until the sandbox has started. */
export const running = (page: Page): Promise<void> => page.locator(".bench-bar .state.good").waitFor();

/** Opens a browser for the tests of a file. @returns functions that open a page, and one with the sandbox */
export function inPanel() {
  const open = inBrowser();
  return {
    open,
    /** @param path a scenario as its fragment opens the sandbox too */
    openPanel: async (path: string, options?: PageOptions): Promise<Page> => {
      const page = await open(path, options);
      if (!path.includes("#")) await tryIt(page).click();
      await running(page);
      return page;
    },
  };
}

/** Sends the request, and returns what is shown of the response. */
export async function send(page: Page): Promise<{ status: string; body: string; text: string }> {
  await button(page, "Send").click();
  const state = response(page).locator(".state").first();
  await state.waitFor();
  const body = response(page).locator("pre");
  return {
    status: await state.innerText(),
    body: (await body.count()) > 0 ? await body.innerText() : "",
    text: await response(page).innerText(),
  };
}

export const showsResponse = (page: Page, text: string): Promise<void> =>
  expect.poll(() => response(page).innerText()).toContain(text);

/** Makes the next requests fail. @param name on the button of the failure */
export async function addFailure(page: Page, name: string): Promise<void> {
  await bench(page).getByRole("radio", { name, exact: true }).check();
  await button(page, "Add").click();
}

/** Chooses a server of the reader. */
export async function chooseOwn(page: Page, baseUrl: string): Promise<void> {
  await field(page, "Server").selectOption("own");
  await field(page, "Base URL").fill(baseUrl);
}
