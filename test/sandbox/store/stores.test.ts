import { storeTests } from "./behaviour/all.ts";
import { openEmpty, openUnfilled, temporaryFolder } from "./stores.ts";

storeTests("memory", { unfilled: () => openUnfilled(), empty: () => openEmpty() });

storeTests("SQLite", {
  unfilled: () => openUnfilled(temporaryFolder()),
  empty: () => openEmpty(temporaryFolder()),
});
