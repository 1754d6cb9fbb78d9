import type { RuleDefinition, RulesetDefinition } from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import { oas } from "@stoplight/spectral-rulesets";
import { ownRules } from "./custom-rules.ts";
import { switchedOff } from "./disabled-rules.ts";
import { toSpectral } from "./rule.ts";

/** The sets of rules that Spectral and OWASP bring along, taken with every rule in them. */
export const builtIn = {
  oas: oas as RulesetDefinition & { rules: object },
  // The types of this package describe its CommonJS form; Node loads its module form, whose default is the ruleset.
  owasp: owasp as unknown as RulesetDefinition & { rules: object },
};

const mapped = <Value>(values: Record<string, Value>, map: (value: Value) => RuleDefinition | "off") =>
  Object.fromEntries(Object.entries(values).map(([id, value]) => [id, map(value)]));

/** Everything that the bundle is held against: the built-in sets but what is switched off, and our own rules. */
export const ruleset = {
  extends: Object.values(builtIn).map((set): [RulesetDefinition, "all"] => [set, "all"]),
  rules: { ...mapped(switchedOff, () => "off"), ...mapped(ownRules, toSpectral) },
} satisfies RulesetDefinition;
