import type { Spot, Step } from "./case.ts";

/** The field of a case: `emails.*.tags.*`. */
export const fieldOf = (steps: readonly Step[]): string =>
  steps.map((step) => (step === "[]" || step === "{}" ? "*" : step)).join(".");

/** A field in words: `entry in to`, `value in tags`, `subject in emails`, `body`. */
export function noun(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const outer = steps.slice(0, -1);
  if (last === undefined) return "body";
  if (last === "[]") return `entry in ${noun(outer)}`;
  if (last === "{}") return `value in ${noun(outer)}`;
  const holder = outer.at(-1) === "[]" || outer.at(-1) === "{}" ? outer.slice(0, -1) : outer;
  return holder.length === 0 ? last : `${last} in ${noun(holder)}`;
}

/** With its article: `a subject`, `an entry in to`. */
export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;

/** A value as it stands in JSON, cut where it is long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** The title of a case: `sendEmail (ContentSend): a subject of 999 characters is refused`. */
export function titleOf(
  spot: Pick<Spot, "operation" | "variants">,
  phrase: string,
  accepted: boolean,
): string {
  const variants = spot.variants.length === 0 ? "" : ` (${spot.variants.join(", ")})`;
  return `${spot.operation}${variants}: ${phrase} is ${accepted ? "accepted" : "refused"}`;
}
