import { isTree, mapValues } from "../../../lib/objects.ts";
import { isTime } from "../engine/compare.ts";

/** A time by its second, because clients write the same one in different ways. */
const keyOf = (text: string): string =>
  isTime(text) ? `second ${Math.floor(Date.parse(text) / 1000)}` : text;

/** Values that differ between two runs whatever the clients do: keys, ids, times and what else makes the calls of a run unique. */
export class Pairs {
  readonly #own = new Map<string, string>();
  readonly #other = new Map<string, string>();

  /** Notes the texts at the same places of two values, of which one is of either run. */
  note(own: unknown, other: unknown): void {
    if (typeof own === "string" && typeof other === "string" && own !== other)
      for (const change of [keyOf, encoded]) {
        const name = isTime(other) ? "a time of the service" : other;
        this.#own.set(change(own), name);
        this.#other.set(change(other), name);
      }
    if (!isTree(own) || !isTree(other)) return;
    for (const name of Object.keys(own)) if (Object.hasOwn(other, name)) this.note(own[name], other[name]);
  }

  /** Two values with the same texts where each has its own one of a pair. */
  alike(own: unknown, other: unknown): [own: unknown, other: unknown] {
    return [replaced(own, this.#own), replaced(other, this.#other)];
  }
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A value in which texts, and their words and segments of paths, are replaced. */
function replaced(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return names.get(keyOf(value)) ?? value.replaceAll(/[^ /]+/g, (part) => names.get(part) ?? part);
  if (Array.isArray(value)) return value.map((one) => replaced(one, names));
  return isTree(value) ? mapValues(value, (one) => replaced(one, names)) : value;
}
