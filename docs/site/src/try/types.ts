/** What the panel knows of the API: `data.json`, next to its script. */
export interface TryData {
  /** When the clock of the sandbox starts, ISO 8601: all examples are valid then. */
  start: string;
  /** The base URL of the samples. */
  baseUrl: string;
  /** The base URL that is suggested to those who use a server of their own. */
  ownUrl: string;
  keys: DemoKey[];
  operations: TryOperation[];
  simulatorDomain: string;
  /** The simulated recipients, at that domain. The final status of some is unspecified. */
  recipients: { email: string; isUnspecified: boolean }[];
  /** The ids of the messages that the demo accounts start with. No request sent them, so the outbox does not list them. */
  seeded: string[];
  /** The ids of the error types that have a row on the page of errors. */
  errors: string[];
}

export interface DemoKey {
  id: string;
  label: string;
  key: string;
}

export interface TryOperation {
  id: string;
  title: string;
  method: string;
  /** The path template. */
  path: string;
  /** The idempotency key of the sample, empty for none; null if the operation takes none. */
  idempotencyKey: string | null;
  parameters: { name: string; in: "path" | "query"; example: string }[];
  examples: { title: string; body: string }[];
}

/** The failures of the control API, with the names on their buttons, and what they do. */
export const failures = [
  ["429", "429", "Rejected with 429 rate_limited, not processed."],
  ["500", "500", "Status 500, not processed."],
  ["500-empty", "500 empty", "Status 500 without a body, not processed."],
  ["502", "502", "Status 502, not processed."],
  ["503", "503", "Status 503, not processed."],
  ["delay", "delay", "Processed, and the response comes 2 seconds late."],
  [
    "cut",
    "cut",
    "Processed, but the connection is closed without a response: retry with the same idempotency key.",
  ],
] as const;
export type FailureName = (typeof failures)[number][0];

/** How far the clock is advanced: by a duration, or to the next due message. */
export const advances = [
  ["PT1M", "+1 min"],
  ["PT1H", "+1 hour"],
  ["P1D", "+1 day"],
  ["next", "Next message"],
] as const;
export type Advance = (typeof advances)[number][0];

/** What a reader did in the sandbox, `at` milliseconds after its start. */
export type Step = { at: number } & (
  | ({ do: "send" } & Sending)
  | { do: "advance"; by: Advance }
  | { do: "fail"; failure: FailureName; requests: number }
  | { do: "clear failures" }
  | { do: "confirm"; email: string; list: number }
);

/** A request, as the form has it. */
export interface Sending {
  operation: string;
  /** The id of an API key; null for none. */
  key: string | null;
  /** Empty for none. */
  idempotencyKey: string;
  parameters: Record<string, string>;
  /** Null for an operation without a body. */
  body: string | null;
}

/** Everything that was done since the start of the sandbox: it leads to the same state again, with the same ids. */
export interface Scenario {
  /** In milliseconds since 1970. */
  start: number;
  steps: Step[];
}

export interface TryResponse {
  /** 0: the connection was closed without a response. */
  status: number;
  headers: [name: string, value: string][];
  body: string;
  milliseconds: number;
  /** Why there is no response. */
  problem?: string;
}
