import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Rule } from "./rule.ts";

const folder = new URL("rules/", import.meta.url);
const ids = readdirSync(folder).map((file) => basename(file, ".ts"));
const modules = ids.sort().map(async (id): Promise<[string, Rule]> => {
  const { rule } = (await import(new URL(`${id}.ts`, folder).href)) as { rule: Rule };
  return [id, rule];
});

/** The custom rules by id: each file of `rules/` exports one, and its name is the id. */
export const customRules: Record<string, Rule> = Object.fromEntries(await Promise.all(modules));
