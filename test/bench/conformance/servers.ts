import fc from "fast-check";
import { allMutants } from "../../mutants/all-mutants.ts";
import { variants } from "../../mutants/variants.ts";
import type { ServerUnderTest } from "./front.ts";
import { independentFaults } from "./independent/all.ts";
import type { IndependentFault } from "./independent/fault.ts";

/** `unchanged`: the sandbox itself. `mutant`: one of this project's own. `independent`: one by an author who had not seen the checks. */
export type Kind = "unchanged" | "mutant" | "independent" | "variant";

/** A server by its place in a list. */
export interface ListedServer {
  kind: Kind;
  index: number;
  title: string;
  /** Of an independent fault. */
  source?: IndependentFault["source"];
}

/** The first variant is the unchanged sandbox, which has a kind of its own. */
const differing = variants.filter(({ intercept, sandbox }) => intercept ?? sandbox);

/** @param index in the list of its kind; of the unchanged sandbox, the number of the run @throws Error if there is no such server */
export async function serverAt(kind: Kind, index: number): Promise<ServerUnderTest> {
  if (kind === "unchanged") return { title: "the unchanged sandbox" };
  const lists = { mutant: await allMutants(), independent: independentFaults, variant: differing };
  const server = lists[kind][index];
  if (server === undefined) throw new Error(`there is no ${kind} ${index}`);
  return server;
}

/** How many servers of each kind there are. */
export const populations = async (): Promise<Record<Exclude<Kind, "unchanged">, number>> => ({
  mutant: (await allMutants()).length,
  independent: independentFaults.length,
  variant: differing.length,
});

/** Which servers a run is about: of each kind so many, drawn by a seed. */
export interface Sample {
  seed: number;
  /** Runs on the unchanged sandbox. */
  baselines: number;
  mutants: number;
  independent: number;
  variants: number;
}

/**
 * The sample, its kinds mixed: a run that ends early has the same share of each, and meets the unchanged sandbox while the machine is as busy as
 * for the others. A larger sample with the same seed begins with the smaller one.
 */
export async function sampled({ seed, ...numbers }: Sample): Promise<ListedServer[]> {
  const draw = (kind: Kind, all: readonly Omit<ListedServer, "kind" | "index">[], number: number) => {
    const listed = all.map((one, index): ListedServer => ({ kind, index, ...one }));
    const drawn = shuffled(listed, seed).slice(0, number);
    return drawn.map((server, place) => ({ server, place: (place + 0.5) / drawn.length }));
  };
  const mutants = (await allMutants()).map(titleOf);
  const independent = independentFaults.map((fault) => ({ ...titleOf(fault), source: fault.source }));
  const conforming = differing.map(({ title }) => ({ title }));
  const unchanged = Array.from({ length: numbers.baselines }, () => ({ title: "the unchanged sandbox" }));
  return [
    ...draw("unchanged", unchanged, numbers.baselines),
    ...draw("mutant", mutants, numbers.mutants),
    ...draw("independent", independent, numbers.independent),
    ...draw("variant", conforming, numbers.variants),
  ]
    .sort((one, other) => one.place - other.place)
    .map(({ server }) => server);
}

const titleOf = ({ requirement, title }: { requirement: string; title: string }) => ({
  title: `${requirement} ${title}`,
});

const shuffled = <Value>(values: readonly Value[], seed: number): Value[] =>
  fc.sample(fc.noBias(fc.shuffledSubarray([...values], { minLength: values.length })), {
    seed,
    numRuns: 1,
  })[0] ?? [];
