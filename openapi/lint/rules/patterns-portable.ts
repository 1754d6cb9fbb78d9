import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

/** Validators compile patterns with the `u` flag; some silently disable validation if one does not compile. */
const compiles = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** Whether the whole pattern is between ^ and $: some languages search for a pattern, others match the whole text. */
const isAnchored = (pattern: string): boolean =>
  /^\^.*\$$/.test(pattern) && !/\\\$$/.test(pattern) && !hasOuterAlternatives(pattern);

/** Whether the pattern has a | outside of groups and classes. */
const hasOuterAlternatives = (pattern: string): boolean => {
  let flat = pattern.replaceAll(/\\./g, "").replaceAll(/\[[^\]]*\]/g, "");
  while (/\([^()]*\)/.test(flat)) flat = flat.replaceAll(/\([^()]*\)/g, "");
  return flat.includes("|");
};

/** Lookarounds and back-references, which RE2 lacks, and classes that mean other characters in each language. */
const differing = /\(\?[^:]|\\(?![tnrf\\^$.|?*+()[\]{}/-])./;

const hasDiffering = (pattern: string): boolean => differing.test(pattern.replaceAll("[\\s\\S]", "."));

export const rule = ruleForEach(schemas, {
  description:
    "Patterns are anchored, in ASCII, and use only what means the same in JavaScript, Python, Java and RE2.",
  *check({ path, schema, name }) {
    const { pattern } = schema;
    if (typeof pattern !== "string") return;
    const at = (message: string) => ({ path: [...path, "pattern"], message });
    if (!compiles(pattern)) {
      yield at(`Correct the pattern of ${name}: it is not a regular expression with the flag u.`);
      return;
    }
    if (/[^\x20-\x7e]/.test(pattern)) yield at(`Use only ASCII in the pattern of ${name}.`);
    if (!isAnchored(pattern)) yield at(`Begin the pattern of ${name} with ^ and end it with $.`);
    if (hasDiffering(pattern))
      yield at(
        `Use plain classes such as [0-9] in the pattern of ${name}, without lookarounds and \\d, \\s, \\w.`,
      );
  },
});
