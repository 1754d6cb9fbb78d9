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

/** A mutant with where it was found. */
export interface ListedMutant extends Mutant {
  /** Whether it breaks a rule on one of its paths only. */
  isOfOnePath: boolean;
}

/** The mutants of all topics, those of one path last. */
export async function allMutants(): Promise<ListedMutant[]> {
  const listed = async (folder: string, isOfOnePath: boolean): Promise<ListedMutant[]> =>
    (await mutantsIn(folder)).map((mutant) => ({ ...mutant, isOfOnePath }));
  return [...(await listed("./", false)), ...(await listed("./one-path/", true))];
}
