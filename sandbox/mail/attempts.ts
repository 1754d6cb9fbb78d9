/** Work by name, so many at once; the rest waits its turn. */
export class Attempts {
  readonly #atOnce: number;
  readonly #names = new Set<string>();
  readonly #waiting: { name: string; run: () => void }[] = [];
  #open = 0;
  #resting: PromiseWithResolvers<void> | undefined;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Whether work of this name is announced, under way or waits. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether there is no work at all. */
  get idle(): boolean {
    return this.#names.size === 0;
  }

  /** Announces work, so that nobody else begins the same. */
  announce(name: string): void {
    this.#names.add(name);
  }

  /** Takes an announcement back. */
  withdraw(name: string): void {
    this.#names.delete(name);
    this.#rest();
  }

  /** Does what was announced as soon as it is its turn. It must not reject. */
  begin(name: string, work: () => Promise<void>): void {
    const run = async () => {
      this.#open += 1;
      await work();
      this.#open -= 1;
      this.#waiting.shift()?.run();
      this.withdraw(name);
    };
    if (this.#open < this.#atOnce) run();
    else this.#waiting.push({ name, run });
  }

  /** Drops what waits. */
  end(): void {
    for (const { name } of this.#waiting.splice(0)) this.withdraw(name);
  }

  /** Resolves when there is no work any more. */
  async settled(): Promise<void> {
    if (this.idle) return;
    this.#resting ??= Promise.withResolvers();
    await this.#resting.promise;
  }

  #rest(): void {
    if (!this.idle) return;
    this.#resting?.resolve();
    this.#resting = undefined;
  }
}
