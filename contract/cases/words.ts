import type { SchemaLocation, Step } from "./case.ts";

/** Such as `emails.*.tags.*`. */
export const fieldOf = (steps: readonly Step[]): string =>
  steps.map((step) => (step === "[]" || step === "{}" ? "*" : step)).join(".");

/** A field in a title: `entry in to`, `value in tags`, `subject in emails`, `body`. */
export function noun(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const outer = steps.slice(0, -1);
  if (last === undefined) return "body";
  if (last === "[]") return `entry in ${noun(outer)}`;
  if (last === "{}") return `value in ${noun(outer)}`;
  const holder = outer.at(-1) === "[]" || outer.at(-1) === "{}" ? outer.slice(0, -1) : outer;
  return holder.length === 0 ? last : `${last} in ${noun(holder)}`;
}

export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;

/** A value as JSON, shortened. */
export function format(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** Such as `sendEmail (ContentSend): a subject of 999 characters is rejected`. */
export function titleOf(
  at: Pick<SchemaLocation, "operation" | "variants">,
  phrase: string,
  accepted: boolean,
): string {
  const variants = at.variants.length === 0 ? "" : ` (${at.variants.join(", ")})`;
  return `${at.operation}${variants}: ${phrase} is ${accepted ? "accepted" : "rejected"}`;
}
