import type { SharedOptions } from "./options.ts";

/** Throws a TypeError in a browser page, where everybody can read the key. */
export function rejectBrowser({ allowBrowser }: SharedOptions): void {
  if (!allowBrowser && "document" in globalThis)
    throw new TypeError("a browser page shows the key: see allowBrowser");
}
