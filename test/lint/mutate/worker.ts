import { parentPort, workerData } from "node:worker_threads";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import { ownRules } from "../../../openapi/lint/custom-rules.ts";
import { toSpectral } from "../../../openapi/lint/rule.ts";
import { ruleset } from "../../../openapi/lint/ruleset.ts";
import { runSpectral } from "../../../openapi/lint/run.ts";
import { brokenFacts } from "../../openapi/facts.ts";
import { defects } from "./defects.ts";
import type { DefectOutcome } from "./report.ts";

const ours = {
  rules: Object.fromEntries(Object.entries(ownRules).map(([id, rule]) => [id, toSpectral(rule)])),
};

const rules = async (set: RulesetDefinition, document: object): Promise<string[]> =>
  (await runSpectral(set, document)).map(({ rule }) => rule);

/**
 * Everyone who notices something about a bundle. The built-in rules take most of the time, so they are asked only
 * where the defect is meant for one of them, or where neither our own rules nor the facts notice it.
 */
async function noticed(document: object, by: string): Promise<string[]> {
  const known = brokenFacts(document).length > 0 ? ["facts"] : [];
  const own = [...known, ...(await rules(ours, document))];
  const enough = own.length > 0 && (by === "facts" || by in ownRules);
  return [...new Set(enough ? own : [...own, ...(await rules(ruleset, document))])];
}

const tell = (outcome: DefectOutcome): void => parentPort?.postMessage(outcome);

/** Tries every `count`th defect, from the `part`th on, on a copy of the bundle, and tells each outcome. */
async function work(document: object, part: number, count: number): Promise<void> {
  if (part === 0) tell({ topic: "", name: "", by: "", noticed: await noticed(document, "") });
  for (const { topic, name, by, edit } of defects.filter((_, index) => index % count === part)) {
    const copy = structuredClone(document);
    edit(copy);
    tell({ topic, name, by, noticed: await noticed(copy, by) });
  }
}

await work(workerData.document, workerData.part, workerData.count);
