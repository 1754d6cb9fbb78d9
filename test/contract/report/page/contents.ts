import type { Origin } from "../curl.ts";
import { verdictsOf } from "../reading.ts";
import type { ContractResult, LawResult, WireResult } from "../result.ts";
import { Markup } from "./markup.ts";

type Law = LawResult | WireResult;

/** So much of a page, in letters, for one kind of its parts. */
export class Room {
  #left: number;

  constructor(letters: number) {
    this.#left = letters;
  }

  /** The first of the versions that there is still room for; nothing where there is for none. */
  take(...versions: Markup[]): Markup {
    const version = versions.find(({ text }) => text.length <= this.#left) ?? new Markup("");
    this.#left -= version.text.length;
    return version;
  }
}

/** What the parts of a page have to know of the whole of it. */
export class Contents {
  readonly origin: Origin;
  /** Room for what is broken, and for what holds: however much there is of the one, the other is shown too. */
  readonly broken = new Room(2_600_000);
  readonly held = new Room(1_400_000);
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
