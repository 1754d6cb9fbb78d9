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
  /** The simulated recipients, at that domain. */
  recipients: string[];
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
  method: string;
  /** The path template. */
  path: string;
  /** The idempotency key of the sample, empty for none; null if the operation takes none. */
  idempotencyKey: string | null;
  parameters: { name: string; in: "path" | "query"; example: string }[];
  examples: { title: string; body: string }[];
}

/** The failures of the control API, with the names on their buttons. */
export const failures = [
  ["429", "429"],
  ["500", "500"],
  ["500-empty", "500 empty"],
  ["502", "502"],
  ["503", "503"],
  ["delay", "delay"],
  ["cut", "cut"],
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
