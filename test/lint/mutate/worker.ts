import { parentPort, workerData } from "node:worker_threads";
import type { RulesetDefinition } from "@stoplight/spectral-core";
import { customRules } from "../../../openapi/lint/custom-rules.ts";
import { toSpectral } from "../../../openapi/lint/rule.ts";
import { ruleset } from "../../../openapi/lint/ruleset.ts";
import { runSpectral } from "../../../openapi/lint/run.ts";
import { defects, differsFromRelease } from "./defects.ts";
import type { DefectOutcome } from "./report.ts";

const custom = {
  rules: Object.fromEntries(Object.entries(customRules).map(([id, rule]) => [id, toSpectral(rule)])),
};

const rules = async (set: RulesetDefinition, document: object): Promise<string[]> =>
  (await runSpectral(set, document)).map(({ rule }) => rule);

/**
 * The rules that find something in a bundle. The built-in rules take most of the time, so they run only if the defect is
 * for one of them, or if nothing else finds it.
 */
async function foundBy(document: object, by: string): Promise<string[]> {
  const known = differsFromRelease(document) ? ["release"] : [];
  const own = [...known, ...(await rules(custom, document))];
  const enough = own.length > 0 && (by === "release" || by in customRules);
  return [...new Set(enough ? own : [...own, ...(await rules(ruleset, document))])];
}

const post = (outcome: DefectOutcome): void => parentPort?.postMessage(outcome);

/** Tries every `count`th defect, from the `part`th on, on a copy of the bundle, and posts each outcome. */
async function work(document: object, part: number, count: number): Promise<void> {
  if (part === 0) post({ topic: "", name: "", by: "", foundBy: await foundBy(document, "") });
  for (const { topic, name, by, edit } of defects.filter((_, index) => index % count === part)) {
    const copy = structuredClone(document);
    edit(copy);
    post({ topic, name, by, foundBy: await foundBy(copy, by) });
  }
}

await work(workerData.document, workerData.part, workerData.count);
