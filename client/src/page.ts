import type { Policy } from "./settings.ts";

/** Refuses to run where everybody can read the key. @throws TypeError */
export function notInPage({ allowBrowser }: Policy): void {
  if (!allowBrowser && "document" in globalThis)
    throw new TypeError("a browser page shows the key: see allowBrowser");
}
