import { defaultDeadlines, type Settings } from "../../../contract/engine/settings.ts";
import {
  demoFixtures,
  keysOfDemo,
  raisedRateLimits,
  seedWithManyFields,
} from "../../../scripts/contract/targets.ts";
import { accountList } from "./account-list.ts";
import { linkedFileHash } from "./linked-file.ts";

const keys = keysOfDemo();

/** The settings of a run on the demo accounts. The mailbox is in process. */
export const demoSettings = (profile: Settings["profile"] = "full"): Settings => ({
  baseUrl: "http://sandbox",
  profile,
  runId: "proof",
  keys,
  fixtures: {
    ...demoFixtures,
    pages: { path: accountList },
    attachmentHash: linkedFileHash,
    mailbox: { smtp: 2525 },
  },
  deadlines: defaultDeadlines,
  hooks: {},
  without: [],
});

/** The demo accounts, some of them without a practical rate limit. */
export const demoSandbox = () => ({
  seed: seedWithManyFields(),
  requestsPerMinute: raisedRateLimits,
});
