import {
  demoFixtures,
  keysOfDemo,
  raisedRateLimits,
  seedWithManyFields,
} from "../../../scripts/contract/targets.ts";
import { defaultDeadlines, type Settings } from "../../contract/engine/settings.ts";
import { accountList } from "./account-list.ts";

const keys = keysOfDemo();

/** The settings of a run on the demo accounts. */
export const demoSettings = (profile: Settings["profile"] = "full"): Settings => ({
  baseUrl: "http://sandbox",
  profile,
  runId: "proof",
  keys,
  fixtures: { ...demoFixtures, pages: { path: accountList } },
  deadlines: defaultDeadlines,
  hooks: {},
  without: [],
});

/** The demo accounts, some of them without a practical rate limit. */
export const demoSandbox = () => ({
  seed: seedWithManyFields(),
  requestsPerMinute: raisedRateLimits,
});
