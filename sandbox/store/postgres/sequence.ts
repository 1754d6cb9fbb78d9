import { StoreUnavailableError } from "../../domain/store.ts";
import type { Database, Statement } from "./database.ts";

/** How many numbers are reserved at a time, and how many are left when the next ones are reserved. */
export const block = 10_000;

/** How many numbers there are at least after a refresh, even if the database is slow. */
const least = 2_000;

const reserve: Statement = {
  name: "reserve",
  text: "UPDATE epoch SET reserved = reserved + $2 WHERE epoch = $1 RETURNING reserved",
};

/** Unique numbers of an epoch, for one instance. They are reserved in the database before the first of them is used. */
export class Sequence {
  readonly #reserve: () => Promise<number | undefined>;
  #blocks: { next: number; last: number }[] = [];
  #left = 0;
  #reserving: Promise<void> | undefined;

  constructor(database: Database, epoch: number) {
    this.#reserve = async () =>
      (await database.query<{ reserved: number }>(reserve, [epoch, block]))[0]?.reserved;
  }

  next(): number {
    const [first] = this.#blocks;
    if (first === undefined) throw new StoreUnavailableError("The database gives no more sequence numbers.");
    const number = first.next;
    first.next += 1;
    this.#left -= 1;
    if (number === first.last) this.#blocks.shift();
    return number;
  }

  /** Adds a reserved block. @param last its last number */
  add(last: number): void {
    this.#blocks.push({ next: last - block + 1, last });
    this.#left += block;
  }

  /** Resolves once there are at least `count` numbers. */
  async ensure(count: number): Promise<void> {
    while (this.#left < count) await this.#refill();
  }

  /** Reserves more numbers long before there are none left. Waits only if there are few. */
  async keepFilled(): Promise<void> {
    if (this.#left >= block) return;
    const refilled = this.#refill();
    // Who needs the numbers gets the error.
    if (this.#left >= least) refilled.catch(() => {});
    else await refilled;
  }

  #refill(): Promise<void> {
    this.#reserving ??= this.#reserve()
      .then((last) => {
        if (last === undefined) throw new StoreUnavailableError("The epoch has ended.");
        this.add(last);
      })
      .finally(() => {
        this.#reserving = undefined;
      });
    return this.#reserving;
  }
}
