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
