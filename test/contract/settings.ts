import { inject } from "vitest";

/**
 * Which checks run, and what they may count on. `mock`: a server that answers with the example that it is asked for. `examples`:
 * a server that keeps state, on which the account of the document's examples exists; what one key can bring it to answer is
 * held against the document.
 */
export type Profile = "mock" | "examples";

/** What a run is told from outside. */
export interface Settings {
  /** Where the server is, without a slash at the end. */
  baseUrl: string;
  /** The API key; it never appears in a message. */
  key: string;
  profile: Profile;
}

declare module "vitest" {
  interface ProvidedContext {
    contract: Settings;
  }
}

export const settings: Settings = inject("contract");
