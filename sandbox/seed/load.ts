import type { Seed } from "./seed.ts";

/**
 * The seed that a sandbox starts with.
 *
 * @param source the path of a file in YAML or JSON, a seed made by a program, or nothing for the demo seed
 * @throws Mistake that names each place which is wrong, with its line where there is a file
 */
export async function loadSeed(source?: string | Seed): Promise<Seed> {
  if (source === undefined) return demoSeed();
  // What reads and checks files takes time to load: a sandbox that starts with the demo seed does not need it.
  const { checkSeed } = await import("./check.ts");
  if (typeof source !== "string") return checkSeed(source);
  const { readSeedFile } = await import("./file.ts");
  const file = readSeedFile(source);
  return checkSeed(file.value, file);
}

/** The seed of the project. A test holds it against the schema, so that nothing checks it at every start. */
async function demoSeed(): Promise<Seed> {
  const { default: demo } = await import("./demo.json", { with: { type: "json" } });
  return demo as Seed;
}
