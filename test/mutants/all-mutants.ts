import { readdir } from "node:fs/promises";
import type { Mutant } from "./mutant.ts";

/** Files in this folder without mutants. */
const others = /^(all-mutants|harness|mutate|intercept|variants|.*\.test)\.ts$/;

const isFault = (value: unknown): value is Mutant =>
  typeof value === "object" && value !== null && "requirement" in value && "intercept" in value;

/** The mutants that the files of a folder export as lists `<topic>Mutants`. */
async function mutantsIn(folder: string): Promise<Mutant[]> {
  const directory = new URL(folder, import.meta.url);
  const files = (await readdir(directory)).filter((file) => file.endsWith(".ts") && !others.test(file));
  const modules = await Promise.all(
    files.sort().map((file) => import(new URL(file, directory).href) as Promise<object>),
  );
  return modules
    .flatMap((exported) => Object.entries(exported))
    .filter(([name]) => name.endsWith("Mutants"))
    .flatMap(([, list]) => (Array.isArray(list) ? (list as unknown[]).filter(isFault) : []));
}

/** The mutants of all topics. */
export const allMutants = (): Promise<Mutant[]> => mutantsIn("./");
