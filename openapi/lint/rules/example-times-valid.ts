import { examplesOf, mediaTypes, type PlacedMediaType } from "../../../scripts/document/media-types.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { everyText, type Node, nodeOf, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const day = 86_400_000;
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);
const isUtc = (text: string): boolean => /(Z|[+-]00:00)$/.test(text);
const hasOffset = (text: string): boolean => /(Z|[+-]\d\d:\d\d)$/.test(text);

/** The row of x-limits for times to send at, and the schema of these times. */
const ahead = (document: Node): { days: number; schema: string } => {
  const { value, schema } = nodeOf(nodeOf(document["x-limits"]).scheduleAhead);
  return { days: Number(value), schema: textOf(schema) };
};

/** The properties with times to send at: only these name times after that of the examples. */
const sendTimes = (document: Node): Set<unknown> =>
  new Set(
    schemas(document)
      .filter(({ schema }) => schema.$ref === ahead(document).schema)
      .map(({ property }) => property),
  );

/** What is wrong with a time in an example; undefined if nothing is. */
function problemOf(
  document: Node,
  direction: PlacedMediaType["direction"],
  property: unknown,
  text: string,
): string | undefined {
  const now = textOf(document["x-example-time"]);
  const [start, time] = [Date.parse(now), Date.parse(text)];
  if (!hasOffset(text)) return `Add an offset to ${text}.`;
  // Examples are checked against the schemas by tools that do not know x-utc-offset.
  if (direction === "response" && !isUtc(text)) return `Change ${text} to UTC, as all times in responses.`;
  if (!hasOffset(now)) return "Add x-example-time with an offset: the time at which all examples are valid.";
  if (!sendTimes(document).has(property))
    return time > start
      ? `Change ${text} to a time no later than ${now}, the time of the examples.`
      : undefined;
  const { days } = ahead(document);
  const isValid = time <= start + days * day && (direction === "response" || time > start);
  return isValid ? undefined : `Change ${text} to a time within ${days} days after ${now}.`;
}

export const rule = ruleForEach(mediaTypes, {
  description: "All times in examples are valid at x-example-time.",
  *check({ path, media, direction }, document) {
    for (const { path: place, example } of examplesOf(document, path, media)) {
      for (const { path: at, text } of everyText({ value: example.value })) {
        const problem = isTime(text) ? problemOf(document, direction, at.at(-1), text) : undefined;
        if (problem !== undefined) yield { path: [...place, ...at], message: problem };
      }
    }
  },
});
