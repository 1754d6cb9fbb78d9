import type { ApiRequest } from "../api/context.ts";

/** A larger body is collected in one buffer: chunks that are joined at the end take twice as much memory. In bytes. */
const mostInChunks = 1024 * 1024;

/** The bytes of a body as they come in: chunks of a small one, one buffer for a larger one. */
export class BodyBytes {
  /** How many bytes a buffer must have room for. */
  readonly #capacity: number;
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #whole: Uint8Array<ArrayBuffer> | null = null;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(chunk: Uint8Array<ArrayBuffer>): void {
    const start = this.#size;
    this.#size += chunk.length;
    if (this.#whole === null && this.#size > mostInChunks) {
      this.#whole = joined(this.#chunks, this.#capacity);
      this.#chunks = [];
    }
    if (this.#whole === null) this.#chunks.push(chunk);
    else this.#whole.set(chunk, start);
  }

  /** Hands all bytes over. */
  take(): Pick<ApiRequest, "body" | "release"> {
    const [whole, chunks] = [this.#whole, this.#chunks];
    this.clear();
    if (whole !== null) return { body: whole.subarray(0, this.#size), release: releaseOf(whole) };
    return { body: this.#size === 0 ? null : joined(chunks, this.#size) };
  }

  clear(): void {
    this.#chunks = [];
    this.#whole = null;
  }
}

/** Frees memory without waiting for the garbage collector. */
const releaseOf =
  ({ buffer }: Uint8Array<ArrayBuffer>) =>
  (): void =>
    void (buffer.detached || buffer.transfer(0));

/** The chunks at the start of as many bytes. */
function joined(chunks: readonly Uint8Array<ArrayBuffer>[], capacity: number): Uint8Array<ArrayBuffer> {
  const [first] = chunks;
  if (first !== undefined && first.length === capacity) return first;
  const whole = Buffer.allocUnsafeSlow(capacity);
  let size = 0;
  for (const chunk of chunks) {
    whole.set(chunk, size);
    size += chunk.length;
  }
  return whole;
}
