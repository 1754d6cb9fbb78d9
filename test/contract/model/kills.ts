import { defaultSequences } from "../../../contract/engine/settings.ts";
import { Tester } from "../../../contract/engine/tester.ts";
import { type Selected, sequencesOf, stepsOf } from "../../../contract/model/search.ts";
import type { Step } from "../../../contract/model/steps/step.ts";
import { walk } from "../../../contract/model/walk.ts";
import type recorded from "../../../contract/recorded.json";
import { demoSettings } from "../../mutants/demo.ts";
import { createRun, openSandbox } from "../../mutants/harness.ts";
import type { Mutant } from "../../mutants/mutant.ts";
import { isActive, type RecordedExchange, recorder } from "./transcript.ts";

/** A test case of sequences. */
export interface Case {
  kind: keyof typeof recorded.sequences;
  product: "email" | "newsletter";
  canWait: boolean;
}

export const cases: readonly Case[] = [
  { kind: "email", product: "email", canWait: false },
  { kind: "newsletter", product: "newsletter", canWait: false },
  { kind: "email with clock moves", product: "email", canWait: true },
  { kind: "newsletter with clock moves", product: "newsletter", canWait: true },
];

/** A sequence with what the correct server responds. */
export interface Recorded extends Selected {
  steps: readonly Step[];
  transcript: RecordedExchange[];
}

export const { maxLength } = defaultSequences({ profile: "full" });

/** After so many sequences, a new sandbox starts: accounts have monthly allowances. */
const perSandbox = 50;

/** Takes sequences on sandboxes with a mutant in between. */
async function* walkAll<One extends { steps: readonly Step[] }>(
  all: Iterable<One> | AsyncIterable<One>,
  intercept: Mutant["intercept"],
): AsyncGenerator<[One, number | undefined]> {
  let taken = 0;
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  try {
    for await (const one of all) {
      if (taken % perSandbox === 0) {
        await opened?.sandbox.close();
        opened = await open(intercept);
      }
      taken += 1;
      if (opened !== undefined) yield [one, await killedAt(new Tester(opened.run), one.steps)];
    }
  } finally {
    await opened?.sandbox.close();
  }
}

async function open(intercept: Mutant["intercept"]) {
  const { sandbox, time } = await openSandbox();
  return { sandbox, run: createRun(sandbox, time, { settings: demoSettings("model"), intercept }) };
}

/** The number of steps until a response does not match the model or fails a response check; undefined if all match. */
async function killedAt(tester: Tester, steps: readonly Step[]): Promise<number | undefined> {
  const mismatch = await walk(tester, steps);
  const isInvalid = [...tester.responseChecks.values()].some(({ failures }) => failures.length > 0);
  return mismatch?.steps.length ?? (isInvalid ? steps.length : undefined);
}

/** The first steps of sequences, with what the correct server responds. */
export async function record(selected: readonly Selected[], { product, canWait }: Case): Promise<Recorded[]> {
  const options = { email: product === "email", newsletter: product === "newsletter", canWait, maxLength };
  const all = selected.map(({ seed, length }): Recorded => {
    const steps = stepsOf(seed, sequencesOf(seed, options)).slice(0, length);
    return { seed, length: steps.length, steps, transcript: [] };
  });
  let transcript: RecordedExchange[] = [];
  const inTurn = function* (): Generator<Recorded> {
    for (const one of all) {
      transcript = one.transcript;
      yield one;
    }
  };
  for await (const [{ seed }, killed] of walkAll(
    inTurn(),
    recorder(() => transcript),
  ))
    if (killed !== undefined) throw new Error(`the sandbox does not match the model: seed ${seed}`);
  return all;
}

/** The sequences that kill a mutant, with the number of steps that it takes. */
export async function* killsOf(
  mutant: Mutant,
  recorded: readonly Recorded[],
): AsyncGenerator<[Recorded, number]> {
  const active = async function* (): AsyncGenerator<Recorded> {
    for (const one of recorded) if (await isActive(mutant, one.transcript)) yield one;
  };
  for await (const [one, killed] of walkAll(active(), mutant.intercept))
    if (killed !== undefined) yield [one, killed];
}
