/** Work by name, so many at once; the rest waits its turn. */
export class Attempts {
  readonly #atOnce: number;
  readonly #underWay = new Set<string>();
  #waiting: (() => void)[] = [];
  #open = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Whether work of this name is under way or waits. */
  has(name: string): boolean {
    return this.#underWay.has(name);
  }

  /** Does work as soon as it is its turn. It must not reject. */
  add(name: string, work: () => Promise<void>): void {
    this.#underWay.add(name);
    const run = async () => {
      this.#open += 1;
      await work();
      this.#open -= 1;
      this.#underWay.delete(name);
      this.#next();
    };
    if (this.#open < this.#atOnce) run();
    else this.#waiting.push(run);
  }

  /** Drops what waits. */
  end(): void {
    this.#waiting = [];
  }

  /** Resolves when nothing is under way, and nothing waits. */
  async settled(): Promise<void> {
    if (this.#open === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #next(): void {
    this.#waiting.shift()?.();
    if (this.#open > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
