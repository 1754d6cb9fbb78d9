import type { Mutant } from "../../mutants/mutant.ts";
import { isAbout } from "../../mutants/mutate/outcome.ts";
import { type Case, cases, killsOf, maxLength, type Recorded, record } from "./kills.ts";

/** A sequence with the mutants that it kills, and the number of steps that each takes. */
export interface Candidate {
  of: Case;
  seed: number;
  requestsPerStep: number;
  kills: ReadonlyMap<Mutant, number>;
}

/** The sequences with the first seeds of every case, with the mutants that they kill. */
export async function candidatesOf(mutants: readonly Mutant[], seeds: number): Promise<Candidate[]> {
  const pool = Array.from({ length: seeds }, (_, index) => ({ seed: index + 1, length: maxLength }));
  const candidates: Candidate[] = [];
  for (const of of cases) {
    const recorded = await record(pool, of);
    const kills = new Map(recorded.map((one) => [one, new Map<Mutant, number>()]));
    for (const mutant of mutants.filter(({ requirement }) => isAbout(requirement, of.product)))
      for (const [one, length] of await firstKills(mutant, recorded)) kills.get(one)?.set(mutant, length);
    for (const [{ seed, transcript, length }, ofOne] of kills)
      candidates.push({ of, seed, requestsPerStep: transcript.length / length, kills: ofOne });
  }
  return candidates;
}

/** A mutant that so many sequences of a case kill is easy to kill: further ones take time and change little. */
const mostKills = 20;

async function firstKills(mutant: Mutant, recorded: readonly Recorded[]): Promise<[Recorded, number][]> {
  const kills: [Recorded, number][] = [];
  for await (const kill of killsOf(mutant, recorded)) if (kills.push(kill) === mostKills) break;
  return kills;
}

/** How much it is worth to kill a mutant for the first time, and again: then the list also kills most mutants that it was not made for. */
const worths = [1, 0.3, 0.09];

/** Candidates with the number of their steps that are taken, those that kill most mutants per request first. */
export function select(
  candidates: readonly Candidate[],
  mutants: readonly Mutant[],
  requests: number,
): Map<Candidate, number> {
  const times = new Map(mutants.map((mutant) => [mutant, 0]));
  const selected = new Map<Candidate, number>();
  for (let left = requests; ; ) {
    const next = candidates
      .flatMap((candidate) => extensionsOf(candidate, selected.get(candidate) ?? 0, times))
      .reduce<Extension | undefined>((best, one) => (best && best.rate >= one.rate ? best : one), undefined);
    if (next === undefined || next.requests > left) return selected;
    const { candidate, length, requests: used } = next;
    for (const mutant of killedBetween(candidate, selected.get(candidate) ?? 0, length))
      times.set(mutant, (times.get(mutant) ?? 0) + 1);
    selected.set(candidate, length);
    left -= used;
  }
}

const killedBetween = ({ kills }: Candidate, before: number, length: number): Mutant[] =>
  [...kills].filter(([, at]) => at > before && at <= length).map(([mutant]) => mutant);

interface Extension {
  candidate: Candidate;
  length: number;
  /** For the further steps. */
  requests: number;
  /** What they are worth per request. */
  rate: number;
}

/** A candidate with more steps than before: up to each that kills a mutant. */
function extensionsOf(candidate: Candidate, before: number, times: ReadonlyMap<Mutant, number>): Extension[] {
  let worth = 0;
  return [...candidate.kills]
    .filter(([, length]) => length > before)
    .sort(([, one], [, other]) => one - other)
    .map(([mutant, length]) => {
      worth += worths[times.get(mutant) ?? worths.length] ?? 0;
      const requests = candidate.requestsPerStep * (length - before);
      return { candidate, length, requests, rate: worth / requests };
    })
    .filter(({ rate }) => rate > 0);
}

/** How many of the mutants a selection kills. */
export const countKilled = (selected: ReadonlyMap<Candidate, number>, mutants: readonly Mutant[]): number =>
  mutants.filter((mutant) =>
    [...selected].some(([{ kills }, length]) => (kills.get(mutant) ?? Number.POSITIVE_INFINITY) <= length),
  ).length;
