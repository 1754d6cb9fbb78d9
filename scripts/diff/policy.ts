import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { openapiFolder } from "../common/paths.ts";

/** What a change means for clients, the most severe first: see openapi/compatibility.yaml. */
export const verdicts = ["breaking", "additive", "editorial"] as const;
export type Verdict = (typeof verdicts)[number];

/** What the policy says about a kind of change. */
export interface PolicyEntry {
  verdict: Verdict;
  /** The requirement that the verdict follows from. */
  requirement: string;
  /** The message, with `{name}`, `{before}` and `{after}` to fill in. */
  message: string;
  /** What to do about it. */
  advice: string;
}

interface PolicyFile {
  defaultAdvice: Record<Verdict, string>;
  exceptions: ({ kind: string; name: string } & Pick<PolicyEntry, "verdict" | "advice">)[];
  kinds: Record<string, PolicyEntry>;
}

/** The file of the policy, absolute. */
export const policyFile = join(openapiFolder, "compatibility.yaml");

let policy: PolicyFile | undefined;
const read = (): PolicyFile => {
  policy ??= parse(readFileSync(policyFile, "utf8")) as PolicyFile;
  return policy;
};

/** The kinds of changes that the policy has entries for. */
export const knownKinds = (): string[] => Object.keys(read().kinds);

/** The entry for a change of that kind and name. */
export function policyFor(kind: string, name: string): PolicyEntry {
  const { kinds, exceptions, defaultAdvice } = read();
  const entry = kinds[kind];
  if (entry === undefined) throw new Error(`openapi/compatibility.yaml has no entry for ${kind}`);
  const exception = exceptions.find((one) => one.kind === kind && one.name === name);
  const { verdict, advice, ...rest } = { ...entry, ...exception };
  return { ...rest, verdict, advice: advice ?? defaultAdvice[verdict] };
}
