import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { openapiFolder } from "../paths.ts";

/** Allowed within a version, breaking, or for readers only. */
export type Verdict = "allowed" | "breaking" | "editorial";

/** What the policy says of one kind of difference. */
export interface PolicyEntry {
  kind: string;
  verdict: Verdict;
  /** The promise that the verdict follows from. */
  requirement: string;
  /** The message, with places for `{name}`, `{before}` and `{after}`. */
  what: string;
  instead?: string;
  /** The checks of oasdiff that mean the same; `*` stands for any letters. */
  oasdiff?: string[];
}

interface PolicyFile {
  advice: Record<"allowed" | "editorial", string>;
  exceptions: { kind: string; name: string; verdict: Verdict; instead?: string }[];
  kinds: PolicyEntry[];
}

/** The policy: one entry for each kind of difference. */
export interface Policy {
  entries: ReadonlyMap<string, PolicyEntry>;
  /**
   * The entry for a difference of that kind about that name.
   * Throws an Error when there is none: the policy has to know every kind.
   */
  entryOf(kind: string, name: string): PolicyEntry & { instead: string };
}

/** The file of the policy, absolute. */
export const policyFile = join(openapiFolder, "compatibility.yaml");

let known: Policy | undefined;

/** The policy of this contract, read once. */
export function ownPolicy(): Policy {
  known ??= readPolicy(policyFile);
  return known;
}

/** Reads a policy. */
export function readPolicy(file: string): Policy {
  const { advice, exceptions, kinds } = parse(readFileSync(file, "utf8")) as PolicyFile;
  const entries = new Map(kinds.map((entry) => [entry.kind, entry]));
  return {
    entries,
    entryOf(kind, name) {
      const entry = entries.get(kind);
      if (entry === undefined) throw new Error(`the policy has no entry for ${kind}`);
      const exception = exceptions.find((one) => one.kind === kind && one.name === name);
      const judged = { ...entry, ...exception, kind };
      const usual = judged.verdict === "breaking" ? "" : advice[judged.verdict];
      return { ...judged, instead: judged.instead ?? usual };
    },
  };
}
