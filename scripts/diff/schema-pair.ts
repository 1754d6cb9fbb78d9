import type { Path } from "../document/values.ts";
import { type Change, type Effect, type Pair, reportKey } from "./change.ts";

/** Whether clients send the value or receive it. */
export type Direction = "request" | "response";

/** The base and the revision of one schema. */
export interface SchemaPair extends Pair {
  direction: Direction;
  /** Compares two schemas inside this one, at `steps` below its path. */
  compareInside(pair: SchemaPair, schemas: [unknown, unknown], steps: Path): void;
}

/** The name of a schema: the last segment of its path that is not a keyword. */
export const nameAt = ({ path }: SchemaPair): string =>
  String(path.filter((part) => part !== "schema" && part !== "items").at(-1) ?? "");

/** Reports the kind `<direction>-<thing>-<effect>` for a keyword. */
export function reportEffect(
  pair: SchemaPair,
  thing: string,
  effect: Effect,
  key: string,
  details: Partial<Change> = {},
): void {
  reportKey(pair, key, `${pair.direction}-${thing}-${effect}`, { effect, ...details });
}

/** The effect of a keyword that restricts values: its absence allows more. */
export const effectOf = ({ before, after }: Pair, key: string): Effect =>
  !Object.hasOwn(before, key) ? "narrowed" : !Object.hasOwn(after, key) ? "widened" : "changed";
