import type { HttpResponse } from "../../../../sandbox/api/context.ts";
import type {
  BrowserOptions,
  FromWorker,
  SentRequest,
  ToWorker,
} from "../../../../sandbox/browser/worker.ts";
import type { SentAttachment } from "./html-preview.ts";
import { operationOf, requestOf, responseOf } from "./request.ts";
import type { Advance, Scenario, Sending, Step, TryData, TryResponse } from "./types.ts";

/** A message in the outbox. */
export interface OutboxMessage {
  id: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  status: string;
  created_at: string;
  scheduled_at: string | null;
}

/** What is next to the request. */
export interface SandboxState {
  now: string;
  nextDue: string | null;
  messages: OutboxMessage[];
  /** The messages that were there at the start. */
  seeded: OutboxMessage[];
  failures: { id: string; failure: string; requests: number | "all"; failed: number }[];
}

/** A step without its time. */
export type Action = Step extends infer One ? (One extends Step ? Omit<One, "at"> : never) : never;

/**
 * A sandbox with what was done in it. Its clock moves only when it is told to, by the time that has passed in the page: so the same steps at
 * the same times lead to the same ids.
 */
export class Session {
  readonly #data: TryData;
  readonly #client: WorkerClient;
  readonly scenario: Scenario;
  /** Between the steps of a replay the clock stands still: they get the same times and ids, also on a slow machine. */
  isReplaying = true;
  /** The time of the sandbox minus that of the page. */
  #offset: number;
  #last: Promise<unknown> = Promise.resolve();
  /** By the id of the message: the sandbox lists attachments without their content. */
  readonly #attachments = new Map<string, readonly SentAttachment[]>();

  constructor(data: TryData, script: URL, start = Date.parse(data.start)) {
    this.#data = data;
    this.scenario = { start, steps: [] };
    this.#offset = start - Date.now();
    const seed = { simulatorDomain: data.simulatorDomain };
    this.#client = new WorkerClient(script, { seed, clock: { frozen: true, startAt: start } });
  }

  get opened(): Promise<void> {
    return this.#client.opened;
  }

  /** Does something now, and records it. @returns the response to a request */
  act(action: Action): Promise<TryResponse | undefined> {
    return this.#queued(() => {
      const step = { ...action, at: Math.max(this.#now() - this.scenario.start, this.#lastAt()) } as Step;
      return this.#perform(step);
    });
  }

  /** Does a recorded step at its time. */
  replay(step: Step): Promise<TryResponse | undefined> {
    return this.#queued(() => this.#perform(step));
  }

  /** Moves the clock on by the time that has passed, unless steps are replayed. @returns the state afterwards */
  state(): Promise<SandboxState> {
    return this.#queued(async () => {
      const { now, next_due_at: nextDue } = await (this.isReplaying
        ? this.#control("GET", "clock")
        : this.#moveTo(this.#now()));
      const { messages } = await this.#control("GET", "outbox?limit=50");
      const { failures } = await this.#control("GET", "failures");
      const seeded = await Promise.all(this.#data.seeded.map((id) => this.message(id)));
      return { now, nextDue, messages, seeded, failures } as unknown as SandboxState;
    });
  }

  /** A message with its content and events. */
  message(id: string): Promise<Record<string, unknown>> {
    return this.#control("GET", `outbox/${encodeURIComponent(id)}`);
  }

  /** The attachments of the request that sent a message. */
  attachments(id: string): readonly SentAttachment[] {
    return this.#attachments.get(id) ?? [];
  }

  stop(): void {
    this.#client.stop();
  }

  #now(): number {
    return Date.now() + this.#offset;
  }

  #lastAt(): number {
    return this.scenario.steps.at(-1)?.at ?? 0;
  }

  /** One after the other: a request that waits delays the next. */
  #queued<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #perform(step: Step): Promise<TryResponse | undefined> {
    const time = this.scenario.start + step.at;
    this.#offset = Math.max(this.#offset, time - Date.now());
    await this.#moveTo(time);
    this.scenario.steps.push(step);
    if (step.do === "send") return this.#send(step);
    if (step.do === "advance") await this.#advance(step.by);
    else if (step.do === "fail") {
      const { failure, requests } = step;
      await this.#control("POST", "failures", {
        ...{ failure, requests },
        ...(failure === "delay" && { delay: "PT2S" }),
      });
    } else if (step.do === "clear failures") await this.#control("DELETE", "failures");
    else await this.#control("POST", "confirm", { email: step.email, list_id: step.list });
    return undefined;
  }

  async #send(sending: Sending): Promise<TryResponse> {
    const key = this.#data.keys.find(({ id }) => id === sending.key)?.key ?? "";
    const { body, ...request } = requestOf(operationOf(this.#data, sending.operation), sending, key);
    const startedAt = performance.now();
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const response = responseOf(await this.#client.request({ ...request, body: bytes }), startedAt);
    this.#keepAttachments(body, response);
    return response;
  }

  #keepAttachments(body: string | null, response: TryResponse): void {
    if (response.status !== 202 || body === null) return;
    const [{ attachments }, { id }] = [JSON.parse(body), JSON.parse(response.body)];
    if (Array.isArray(attachments) && id !== undefined) this.#attachments.set(String(id), attachments);
  }

  async #advance(by: Advance): Promise<void> {
    const before = await this.#control("GET", "clock");
    if (by === "next" && before.next_due_at === null) return;
    const given = by === "next" ? { to: before.next_due_at } : { advance: by };
    const { now } = await this.#control("POST", "clock", given);
    this.#offset = Date.parse(String(now)) - Date.now();
  }

  /** The clock never goes back. */
  async #moveTo(time: number): Promise<Record<string, unknown>> {
    const state = await this.#control("GET", "clock");
    if (time <= Date.parse(String(state.now))) return state;
    return this.#control("POST", "clock", { to: new Date(time).toISOString() });
  }

  /** Calls the control API. @throws Error with its message */
  async #control(
    method: "GET" | "POST" | "DELETE",
    path: string,
    input?: object,
  ): Promise<Record<string, unknown>> {
    const body = input === undefined ? null : new TextEncoder().encode(JSON.stringify(input));
    const response = await this.#client.request({ method, target: `/sandbox/${path}`, headers: {}, body });
    const value = JSON.parse(String(response?.body ?? "{}"));
    if (response?.status !== 200) throw new Error(value.error?.message ?? "the sandbox has ended");
    return value;
  }
}

/** The sandbox in its worker. */
class WorkerClient {
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
