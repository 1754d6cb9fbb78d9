import { allMutants } from "../../mutants/all-mutants.ts";
import { variants } from "../../mutants/variants.ts";
import type { ServerUnderTest } from "./front.ts";

/** `unchanged`: the sandbox itself. */
export type Kind = "unchanged" | "mutant" | "variant";

/** A server by its place in a list. */
export interface ListedServer {
  kind: Kind;
  index: number;
  title: string;
}

/** The first variant is the unchanged sandbox, which has a kind of its own. */
const differing = variants.filter(({ intercept, sandbox }) => intercept ?? sandbox);

/** @param index in the list of its kind; of the unchanged sandbox, the number of the run @throws Error if there is no such server */
export async function serverAt(kind: Kind, index: number): Promise<ServerUnderTest> {
  if (kind === "unchanged") return { title: "the unchanged sandbox" };
  const server = { mutant: await allMutants(), variant: differing }[kind][index];
  if (server === undefined) throw new Error(`there is no ${kind} ${index}`);
  return server;
}

/** Which servers a run is about: of both lists every so many, from an offset on. */
export interface Sample {
  every: number;
  everyVariant: number;
  offset: number;
}

/** The sample of the mutants and the variants. */
export async function sampled({ every, everyVariant, offset }: Sample): Promise<ListedServer[]> {
  const titles = (await allMutants()).map(({ requirement, title }) => `${requirement} ${title}`);
  const listed = (kind: Kind, all: readonly string[], step: number): ListedServer[] =>
    all.map((title, index) => ({ kind, index, title })).filter(({ index }) => index % step === offset % step);
  return [
    ...listed("mutant", titles, every),
    ...listed(
      "variant",
      differing.map(({ title }) => title),
      everyVariant,
    ),
  ];
}
