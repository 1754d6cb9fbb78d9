/** Named tasks, of which a limited number runs at the same time; the others queue. */
export class Attempts {
  readonly #limit: number;
  readonly #names = new Set<string>();
  readonly #queue: { name: string; run: () => void }[] = [];
  #running = 0;
  #settling: PromiseWithResolvers<void> | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a task of this name is announced, running or queued. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  names(): string[] {
    return [...this.#names];
  }

  get count(): number {
    return this.#names.size;
  }

  get idle(): boolean {
    return this.#names.size === 0;
  }

  /** Announces a task, so that nobody starts it twice. */
  announce(name: string): void {
    this.#names.add(name);
  }

  withdraw(name: string): void {
    this.#names.delete(name);
    this.#settleWhenIdle();
  }

  /** Runs an announced task, or queues it. It must not reject. */
  start(name: string, task: () => Promise<void>): void {
    const run = async () => {
      this.#running += 1;
      await task();
      this.#running -= 1;
      this.#queue.shift()?.run();
      this.withdraw(name);
    };
    if (this.#running < this.#limit) run();
    else this.#queue.push({ name, run });
  }

  /** Drops the queued tasks. */
  stop(): void {
    for (const { name } of this.#queue.splice(0)) this.withdraw(name);
  }

  /** Resolves when no task is left. */
  async settled(): Promise<void> {
    if (this.idle) return;
    this.#settling ??= Promise.withResolvers();
    await this.#settling.promise;
  }

  #settleWhenIdle(): void {
    if (!this.idle) return;
    this.#settling?.resolve();
    this.#settling = undefined;
  }
}
