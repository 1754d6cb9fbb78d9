import { readdir } from "node:fs/promises";
import type { Fault } from "./fault.ts";

/** Files of this folder that hold no faults of a topic, and do something when they are imported, or need not be. */
const others = /^(all|harness|mutate|server|variants|.*\.test)\.ts$/;

const isFault = (value: unknown): value is Fault =>
  typeof value === "object" && value !== null && "breaks" in value && "between" in value;

/** The faults of all topics: whatever this folder's files export as a list named `<topic>Faults`. */
export async function allFaults(): Promise<Fault[]> {
  const files = (await readdir(import.meta.dirname)).filter(
    (file) => file.endsWith(".ts") && !others.test(file),
  );
  const modules = await Promise.all(
    files.sort().map((file) => import(new URL(file, import.meta.url).href) as Promise<object>),
  );
  return modules
    .flatMap((exported) => Object.entries(exported))
    .filter(([name]) => name.endsWith("Faults"))
    .flatMap(([, list]) => (Array.isArray(list) ? (list as unknown[]).filter(isFault) : []));
}
