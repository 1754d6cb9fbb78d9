import type { Breach, RecordedExchange, Verdict } from "../engine/outcome.ts";
import type { Profile, Role, Tag } from "../engine/settings.ts";

/** How a requirement ended. `expected failure`: it failed, and the list of expected failures has it. */
export type RequirementVerdict = Verdict | "expected failure";

/** One trial of a law, with what was sent and answered. Keys are struck out. */
export interface TrialResult {
  /** The case; empty where the law has one case only. */
  title: string;
  verdict: Verdict;
  /** Why it is not verified, or what went wrong in an error. */
  reason?: string;
  breach?: Breach;
  exchanges: RecordedExchange[];
  milliseconds: number;
}

/** One law, by its trials. */
export interface LawResult {
  ids: string[];
  law: string;
  tags: Tag[];
  verdict: Verdict;
  trials: TrialResult[];
}

/** A law that every answer passes: how many did, and those that did not. */
export interface WireResult {
  ids: string[];
  law: string;
  verdict: Verdict;
  answers: number;
  broken: number;
  /** The first of the breaches, each with the exchange that shows it. */
  breaches: { expected: string; found: string; exchange: RecordedExchange | null }[];
}

/** One promise of the service, and what the run says of it. */
export interface RequirementResult {
  id: string;
  topic: string;
  text: string;
  verdict: RequirementVerdict;
  /** Why it is not verified. */
  reason?: string;
  /** How many trials and answers it was held in. */
  held: number;
  failed: number;
}

/** A promise that this run says nothing of, and why: it is the client's to keep, nobody can observe it, or the profile leaves it out. */
export interface NotTried {
  id: string;
  topic: string;
  text: string;
  reason: string;
}

/** The counts of requirements by how they ended. */
export interface Counts {
  pass: number;
  fail: number;
  expectedFailure: number;
  notVerified: number;
  error: number;
}

/** What a run of the contract suite found; the report in JSON is this. */
export interface ContractResult {
  /** The form of this object; it grows when the form changes in a way that readers notice. */
  format: 1;
  tool: { name: "email-api-contract"; version: string };
  baseUrl: string;
  profile: Profile;
  runId: string;
  /** The environment variables that the keys came from, for the lines that repeat a call; usual names where absent. */
  keyVariables?: Partial<Record<Role, string>>;
  /** ISO 8601, in UTC. */
  startedAt: string;
  durationMilliseconds: number;
  /** Time that was spent waiting for the request limit. */
  waitedMilliseconds: number;
  requests: number;
  /** 0 all promises of the profile hold, expected failures apart; 1 one is broken; 3 none is, but some are not verified. */
  exitCode: 0 | 1 | 3;
  counts: Counts;
  byTopic: ({ topic: string } & Counts)[];
  requirements: RequirementResult[];
  notTried: NotTried[];
  laws: LawResult[];
  wire: WireResult[];
  /** What the server has beyond the document; allowed, and worth knowing. */
  information: string[];
  /** Expected failures that did not fail: their entries are to be taken out. */
  stale: string[];
}
