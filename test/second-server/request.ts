import { createHash } from "node:crypto";
import type { AccountState, Key, World } from "./world.ts";

/** A request with an operation and a valid key. */
export interface RequestContext {
  world: World;
  /** The key as it was sent. */
  keyText: string;
  key: Key;
  own: AccountState;
  path: string;
  /** The path parameter, decoded; empty for a path without one. */
  parameter: string;
  text: string;
  /** By their names in lower case. */
  headers: Record<string, string | undefined>;
}

export interface ApiResponse {
  status: number;
  /** Undefined for none. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** An operation of the API. */
export interface Route {
  ability: string | null;
  product: "mail" | "news" | null;
  handle(context: RequestContext): ApiResponse;
}

/** Operations by path below /api/v1 and method. The first match counts. */
export type Routes = [RegExp, Record<string, Route>][];

/** An error response, thrown by what handles a request. */
export class ErrorResponse extends Error {
  readonly status: number;
  readonly type: string;
  readonly faults: Record<string, string[]> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    type: string,
    message: string,
    more: { faults?: Record<string, string[]>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.faults = more.faults;
    this.headers = more.headers ?? {};
  }
}

/** Collects the invalid fields of a request. */
export class Faults {
  readonly #found = new Map<string, string[]>();

  /** Records a fault of the field if `holds` is false. @returns `holds` */
  unless(holds: boolean, field: string, words: string): boolean {
    if (!holds) this.#found.set(field, [...(this.#found.get(field) ?? []), words]);
    return holds;
  }

  /** @throws ErrorResponse with 422 if any fault was recorded */
  end(): void {
    if (this.#found.size === 0) return;
    const faults = Object.fromEntries(this.#found);
    throw new ErrorResponse(422, "invalid_request", `Look at ${[...this.#found.keys()].join(" and ")}.`, {
      faults,
    });
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Parses a body, which must be a JSON object. @throws ErrorResponse */
export function recordIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ErrorResponse(400, "invalid_request", "That body cannot be read as JSON.");
  }
  if (!isRecord(value))
    throw new ErrorResponse(422, "invalid_request", "The body has to be a JSON object.", {
      faults: { body: ["not an object"] },
    });
  return value;
}

const day = 86_400_000;

/** Handles a request once per idempotency key, and replays the response to the same bytes. Error responses are not replayed. */
export function once(context: RequestContext, run: () => ApiResponse): ApiResponse {
  const name = context.headers["idempotency-key"];
  if (name === undefined) return run();
  if (name.length > 256)
    throw new ErrorResponse(422, "invalid_request", "The idempotency key is too long.", {
      faults: { "Idempotency-Key": ["has more than 256 characters"] },
    });
  const { replays, now } = context.world;
  const id = JSON.stringify([context.keyText, context.path, name]);
  const fingerprint = createHash("sha256").update(context.text).digest("base64");
  const before = replays.get(id);
  if (before !== undefined && before.at > now() - day) {
    if (before.fingerprint !== fingerprint)
      throw new ErrorResponse(409, "idempotency_conflict", "This key was used for another request.");
    return {
      status: before.status,
      body: before.body,
      headers: { ...before.headers, "Idempotent-Replayed": "true" },
    };
  }
  const response = run();
  replays.set(id, { fingerprint, ...response, at: now() });
  return response;
}
