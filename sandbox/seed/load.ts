import type { Seed } from "./seed.ts";

/**
 * Loads the seed of a sandbox.
 *
 * @param source the path of a YAML or JSON file, or a seed; default: the demo seed
 * @throws UserError that lists every problem, with its line in a file
 */
export async function loadSeed(source?: string | Seed): Promise<Seed> {
  if (source === undefined) {
    // A test validates the demo seed, so that no start has to.
    const { default: demo } = await import("./demo.json", { with: { type: "json" } });
    return demo as Seed;
  }
  // Loaded on demand: a start with the demo seed needs no validator.
  const { checkSeed, readSeed } = await import("./check.ts");
  return typeof source === "string" ? readSeed(source) : checkSeed(source);
}
