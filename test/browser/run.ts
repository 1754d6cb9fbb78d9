import { defaultDeadlines } from "../../contract/engine/settings.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { settingsOfSandbox, testedSandbox } from "../../scripts/contract/targets.ts";
import { openBrowser } from "../sandbox/pages/browser.ts";
import { startBridge } from "./bridge.ts";

/** The result of the contract suite, with the errors of the sandbox and the version of the browser. */
export interface BrowserResult {
  result: ContractResult;
  errors: string[];
  browser: string;
}

/** Only what is right counts here: the machine may be busy. In seconds. */
const deadlines = { ...defaultDeadlines, response: 60, delivery: 60, dispatch: 60 };

/** Runs the whole contract suite against the sandbox in the worker of a page. */
export async function runInBrowser(): Promise<BrowserResult> {
  const browser = await openBrowser();
  try {
    const bridge = await startBridge(browser, testedSandbox());
    const settings = { ...settingsOfSandbox(bridge.url), deadlines };
    const result = await runContract({ settings });
    await bridge.close();
    return { result, errors: bridge.errors, browser: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
  }
}
