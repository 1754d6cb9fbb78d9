import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { customRules } from "../../openapi/lint/custom-rules.ts";
import { disabledRules } from "../../openapi/lint/disabled-rules.ts";
import { builtIn, ruleset } from "../../openapi/lint/ruleset.ts";

const builtInRules = Object.values(builtIn).flatMap(({ rules }) => Object.keys(rules));

describe("the disabled built-in rules", () => {
  test.each(Object.entries(disabledRules))("%s exists and says why", (id, reason) => {
    expect(builtInRules).toContain(id);
    expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    const [, instead] = /Instead: ([a-z0-9-]+)\.$/.exec(reason) ?? [];
    if (instead !== undefined) expect(Object.keys(customRules)).toContain(instead);
  });

  test("are all that the ruleset changes about the built-in sets, which it takes whole", () => {
    const changed = Object.entries(ruleset.rules).filter(([id]) => builtInRules.includes(id));
    expect(changed).toEqual(Object.keys(disabledRules).map((id) => [id, "off"]));
    expect(ruleset.extends).toEqual(Object.values(builtIn).map((set) => [set, "all"]));
  });

  test("of Redocly have their reason above them", async () => {
    const file = new URL("../../openapi/lint/redocly.yaml", import.meta.url);
    const configuration = parseDocument(await readFile(file, "utf8"));
    const rules = configuration.get("rules") as {
      commentBefore?: string;
      items: { key: { commentBefore?: string } }[];
    };
    expect(configuration.toJS().extends).toEqual(["recommended-strict"]);
    expect(rules.items).toHaveLength(1);
    expect(rules.commentBefore).toMatch(/required-properties-declared/);
  });
});
