import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import type { Rule } from "./rule.ts";

const ids = readdirSync(new URL("rules/", import.meta.url)).map((file) => basename(file, ".ts"));
// Not `await import`: the `spectral` command loads the ruleset with `require`, which takes no top-level await.
const require = createRequire(import.meta.url);
const ruleOf = (id: string): Rule => (require(`./rules/${id}.ts`) as { rule: Rule }).rule;

/** The custom rules by id: each file of `rules/` exports one, and its name is the id. */
export const customRules: Record<string, Rule> = Object.fromEntries(ids.sort().map((id) => [id, ruleOf(id)]));
