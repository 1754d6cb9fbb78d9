import { newDatabase } from "../../postgres/databases.ts";
import { storeTests } from "./behaviour/all.ts";
import { openEmpty, openUnfilled } from "./stores.ts";

storeTests("PostgreSQL", {
  unfilled: async () => openUnfilled(await newDatabase()),
  empty: async () => openEmpty(await newDatabase()),
});
