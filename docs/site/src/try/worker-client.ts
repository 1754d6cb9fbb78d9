import type { BrowserOptions } from "../../../../sandbox/browser/open.ts";
import type { FromWorker, SentRequest, ToWorker } from "../../../../sandbox/browser/worker.ts";
import type { HttpResponse } from "../../../../sandbox/http/handler.ts";

/** The sandbox in its worker. */
export class WorkerClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (response: HttpResponse | undefined) => void>();
  readonly #opened = Promise.withResolvers<void>();
  #last = 0;
  #stopped = false;

  /** @param script the URL of the worker */
  constructor(script: URL, options: BrowserOptions) {
    this.#worker = new Worker(script);
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#receive(data);
    this.#worker.onerror = ({ message }) =>
      this.#opened.reject(new Error(message || "the sandbox could not be loaded"));
    this.#send({ open: options });
  }

  /** Resolves when the sandbox has started. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** @returns undefined if the connection is closed without a response */
  async request(request: SentRequest): Promise<HttpResponse | undefined> {
    await this.opened;
    if (this.#stopped) return undefined;
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, request });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#worker.terminate();
    this.#opened.reject(new Error("the sandbox was stopped"));
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    if ("opened" in message) this.#opened.resolve();
    else if ("error" in message) {
      // Of the sandbox itself: it responds with a 500 then.
      console.error(message.error);
      this.#opened.reject(new Error(message.error));
    } else {
      this.#waiting.get(message.id)?.("response" in message ? message.response : undefined);
      this.#waiting.delete(message.id);
    }
  }
}
