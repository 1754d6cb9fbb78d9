import { describe } from "vitest";
import type { OpenStore } from "../stores.ts";
import { acceptanceTests } from "./acceptance.ts";
import { contactTests } from "./contacts.ts";
import { dueTests } from "./due.ts";
import { forgettingTests } from "./forgetting.ts";
import { searchTests, summaryTests } from "./lists.ts";
import { initialStateTests, rateTests, settingTests } from "./state.ts";

/** What every store does. */
export function storeTests(name: string, open: { unfilled: OpenStore; empty: OpenStore }): void {
  describe(name, () => {
    initialStateTests(open.unfilled);
    for (const tests of [acceptanceTests, contactTests, dueTests, forgettingTests, searchTests, summaryTests])
      tests(open.empty);
    for (const tests of [rateTests, settingTests]) tests(open.empty);
  });
}
