import { demoFixtures, keysOfDemo, seedWithManyFields } from "../../../scripts/contract/targets.ts";
import { defaultDeadlines, type Settings } from "../../contract/engine/settings.ts";

const keys = keysOfDemo();

/** What a run on the sandbox with its demo accounts is told. */
export const demoSettings = (profile: Settings["profile"] = "full"): Settings => ({
  baseUrl: "http://sandbox",
  profile,
  runId: "proof",
  keys,
  fixtures: demoFixtures,
  deadlines: defaultDeadlines,
  hooks: {},
  without: [],
});

/** The demo accounts as the suite uses them: the main one may call as often as it likes. */
export const demoSandbox = () => ({
  seed: seedWithManyFields(),
  requestsPerMinute: { bakery: 100_000 },
});
