import type { RulesetDefinition } from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import { oas } from "@stoplight/spectral-rulesets";
import { mapValues } from "../../lib/objects.ts";
import { customRules } from "./custom-rules.ts";
import { disabledRules } from "./disabled-rules.ts";
import { toSpectral } from "./rule.ts";

/** The rulesets of Spectral and OWASP, with every rule. */
export const builtIn = {
  oas: oas as RulesetDefinition & { rules: object },
  // The types of this package describe its CommonJS form; Node loads its module form, whose default is the ruleset.
  owasp: owasp as unknown as RulesetDefinition & { rules: object },
};

/** The rules for the bundle: the built-in rulesets without the disabled rules, and the custom rules. */
export const ruleset = {
  extends: Object.values(builtIn).map((set): [RulesetDefinition, "all"] => [set, "all"]),
  rules: { ...mapValues(disabledRules, () => "off" as const), ...mapValues(customRules, toSpectral) },
} satisfies RulesetDefinition;
