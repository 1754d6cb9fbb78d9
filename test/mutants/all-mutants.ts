import { readdir } from "node:fs/promises";
import type { Mutant } from "./mutant.ts";

/** Files in this folder without mutants. */
const others = /^(all-mutants|harness|mutate|variants|.*\.test)\.ts$/;

const isMutant = (value: unknown): value is Mutant =>
  typeof value === "object" && value !== null && "requirement" in value && "intercept" in value;

/** The mutants in the lists that the files of this folder export. */
export async function allMutants(): Promise<Mutant[]> {
  const directory = new URL("./", import.meta.url);
  const files = (await readdir(directory)).filter((file) => file.endsWith(".ts") && !others.test(file));
  const modules = await Promise.all(
    files.sort().map((file) => import(new URL(file, directory).href) as Promise<object>),
  );
  return modules
    .flatMap((exported) => Object.values(exported) as unknown[])
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]).filter(isMutant) : []));
}
