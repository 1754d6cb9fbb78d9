import type { Current } from "./current.ts";
import type { Signal, Signals } from "./signals.ts";

/** How often to look for due times that no signal has announced, in milliseconds: signals are lost with their connection. */
const lookInterval = 5_000;

/** Tells the listeners of one store what its commits, and those of other instances, have changed. */
export class Watch {
  readonly #signals: Signals;
  readonly #workspace: string;
  readonly #current: Current;
  #stop: (() => void) | undefined;
  #onDue: ((dueAt: number) => void) | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(signals: Signals, workspace: string, current: Current) {
    this.#signals = signals;
    this.#workspace = workspace;
    this.#current = current;
  }

  /** Resolves once it receives the signals of other instances. */
  async start(): Promise<void> {
    this.#stop = await this.#signals.listen(this.#workspace, (signal) => {
      this.#receive(signal).catch(() => {});
    });
  }

  due(listener: (dueAt: number) => void): void {
    this.#onDue = listener;
    this.#looking ??= setInterval(() => {
      this.#look().catch(() => {});
    }, lookInterval).unref();
  }

  /** After a commit of this instance. */
  committed(epoch: number, dueAt: number | undefined): void {
    this.#signals.send({ workspace: this.#workspace, epoch, dueAt });
    if (epoch === this.#current.epoch.number) this.#tell(dueAt);
  }

  close(): void {
    clearInterval(this.#looking);
    this.#stop?.();
    this.#onDue = undefined;
  }

  async #receive({ epoch, dueAt }: Signal): Promise<void> {
    const current = this.#current;
    // Another instance has reset the store.
    if (epoch !== current.epoch.number) await current.refresh();
    if (epoch === current.epoch.number) this.#tell(dueAt);
  }

  async #look(): Promise<void> {
    const current = this.#current;
    await current.refresh();
    const dueAt = await current.epoch.messages.nextDue();
    if (dueAt !== null) this.#onDue?.(dueAt);
  }

  #tell(dueAt: number | undefined): void {
    if (dueAt !== undefined) this.#onDue?.(dueAt);
  }
}
