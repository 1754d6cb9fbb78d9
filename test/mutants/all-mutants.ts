import { readdir } from "node:fs/promises";
import type { Mutant } from "./mutant.ts";

/** Files in this folder without mutants. */
const others = /^(all-mutants|harness|mutate|intercept|variants|.*\.test)\.ts$/;

const isFault = (value: unknown): value is Mutant =>
  typeof value === "object" && value !== null && "requirement" in value && "intercept" in value;

/** The mutants of all topics: the lists that the files of this folder export as `<topic>Mutants`. */
export async function allMutants(): Promise<Mutant[]> {
  const files = (await readdir(import.meta.dirname)).filter(
    (file) => file.endsWith(".ts") && !others.test(file),
  );
  const modules = await Promise.all(
    files.sort().map((file) => import(new URL(file, import.meta.url).href) as Promise<object>),
  );
  return modules
    .flatMap((exported) => Object.entries(exported))
    .filter(([name]) => name.endsWith("Mutants"))
    .flatMap(([, list]) => (Array.isArray(list) ? (list as unknown[]).filter(isFault) : []));
}
