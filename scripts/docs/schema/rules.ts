import type { Schema } from "../../document/types.ts";
import { chip } from "../text/layout.ts";
import { capitalized } from "../text/markdown.ts";
import { smallPrint } from "../text/small-print.ts";
import { constraintsOf } from "./constraints.ts";

/** The rules of a field: short ones are chips beside its type, the others a sentence below its description. */
export interface FieldRules {
  chips: string;
  sentence: string;
  small: string;
}

/** The length of a phrase, without the marks of code, that still fits beside the type. */
const shortPhrase = 42;

const fitsBeside = (phrase: string): boolean =>
  phrase.replaceAll("`", "").length <= shortPhrase && !/^(matches|must not|requires)/.test(phrase);

export function fieldRules(schema: Schema): FieldRules {
  const { rules, technicalLimits } = constraintsOf(schema);
  const { beside = [], below = [] } = Object.groupBy(rules, (rule) =>
    fitsBeside(rule) ? "beside" : "below",
  );
  return {
    chips: beside.map((rule) => chip(rule)).join(""),
    sentence: sentenceOf(below),
    small: smallPrint(schema, technicalLimits),
  };
}

export const sentenceOf = (rules: string[]): string =>
  rules.length === 0 ? "" : `${capitalized(rules.join("; "))}.`;
