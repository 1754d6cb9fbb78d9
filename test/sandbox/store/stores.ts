import { onTestFinished } from "vitest";
import type { Store } from "../../../sandbox/domain/store.ts";
import { openStore } from "../../../sandbox/store/open.ts";
import { emptyState } from "./records.ts";

/** Opens a store for one test. */
export type OpenStore = () => Promise<Store>;

/** A store without an initial state, which is closed when the test is over. @param data a folder or a URL; default: in memory */
export async function openUnfilled(data?: string): Promise<Store> {
  const { store } = await openStore(data === undefined ? {} : { data });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** The same with an initial state that has no records. */
export async function openEmpty(data?: string): Promise<Store> {
  const store = await openUnfilled(data);
  await store.fill(emptyState);
  return store;
}
