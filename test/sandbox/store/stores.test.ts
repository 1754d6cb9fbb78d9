import { temporaryFolder } from "../../temporary-folder.ts";
import { storeTests } from "./behaviour/all.ts";
import { openEmpty, openUnfilled } from "./stores.ts";

storeTests("memory", { unfilled: () => openUnfilled(), empty: () => openEmpty() });

storeTests("SQLite", {
  unfilled: () => openUnfilled(temporaryFolder()),
  empty: () => openEmpty(temporaryFolder()),
});
