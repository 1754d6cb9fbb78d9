import type { Origin } from "../curl.ts";
import { verdictsOf } from "../reading.ts";
import type { ContractResult, LawResult, WireResult } from "../result.ts";
import type { Markup } from "./markup.ts";

type Law = LawResult | WireResult;

/** So much of a page, in bytes, for one kind of its parts. */
export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** The part, if there is still room for it. */
  take(part: Markup): Markup | undefined {
    const size = Buffer.byteLength(part.text);
    if (size > this.#left) return undefined;
    this.#left -= size;
    return part;
  }
}

/** What the parts of a page have to know of the whole of it. */
export class Contents {
  readonly origin: Origin;
  /** For what is broken, with everything that was sent; where there is no more room, for what was expected and found. */
  readonly broken = new Room(1_900_000);
  readonly compared = new Room(900_000);
  /** For what holds: however much is broken, it is shown too. */
  readonly held = new Room(1_300_000);
  readonly #laws = new Map<string, { laws: LawResult[]; wire: WireResult[] }>();
  readonly #homes = new Map<Law, string>();

  constructor(result: ContractResult) {
    this.origin = result;
    const verdicts = verdictsOf(result);
    for (const kind of ["laws", "wire"] as const)
      for (const law of result[kind]) {
        const { ids, verdict } = law;
        const own = ids.filter((id) => verdicts.has(id));
        // Where a promise that nobody expected to fail is shown, what broke it is, too.
        const home = own.find((id) => verdicts.get(id) === verdict) ?? own[0] ?? "";
        this.#homes.set(law, home);
        for (const id of new Set(own)) (this.of(id)[kind] as Law[]).push(law);
      }
  }

  /** The laws of a requirement. */
  of(id: string): { laws: LawResult[]; wire: WireResult[] } {
    const found = this.#laws.get(id) ?? { laws: [], wire: [] };
    this.#laws.set(id, found);
    return found;
  }

  /** The requirement that a law is written out at. */
  homeOf = (law: Law): string => this.#homes.get(law) ?? "";
}
