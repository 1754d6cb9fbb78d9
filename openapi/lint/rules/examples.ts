import { examplesOf, mediaTypes, type PlacedMediaType } from "../../../scripts/document/media-types.ts";
import { isLeftUnspecified } from "../../../scripts/document/requirements.ts";
import { describedValues, schemas } from "../../../scripts/document/schemas.ts";
import { entriesOf, everyText, type Node, nodeOf, textOf } from "../../../scripts/document/values.ts";
import { finding, ruleForEach } from "../rule.ts";

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
function problemOf(document: Node, direction: PlacedMediaType["direction"], property: unknown, text: string) {
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

export const exampleTimesValid = ruleForEach(mediaTypes, {
  description: "All times in examples are valid at x-example-time.",
  *check({ path, media, direction }, document) {
    for (const { path: place, example } of examplesOf(document, path, media)) {
      for (const { path: at, text } of everyText({ value: example.value })) {
        const problem = isTime(text) ? problemOf(document, direction, at.at(-1), text) : undefined;
        if (problem !== undefined) yield finding([...place, ...at], problem);
      }
    }
  },
});

export const examplesNamedAndSummarised = ruleForEach(mediaTypes, {
  description: "Examples of bodies have a snake_case name and a summary, so that mocks can select them.",
  *check({ path, media, name: owner }, document) {
    if (media.example !== undefined)
      yield finding([...path, "example"], `Move the example of ${owner} to examples, under a name.`);
    for (const { name, path: place, example } of examplesOf(document, path, media)) {
      if (!/^[a-z][a-z0-9_]*$/.test(name))
        yield finding(
          [...path, "examples", name],
          `Change the name of the example ${name} of ${owner} to snake_case.`,
        );
      if (textOf(example.summary).trim() === "")
        yield finding(place, `Add a summary to the example ${name} of ${owner}.`);
      if (!Object.hasOwn(example, "value"))
        yield finding(place, `Add a value to the example ${name} of ${owner}.`);
    }
  },
});

export const examplesOnReservedDomains = ruleForEach(everyText, {
  description: "Email addresses, links and IP addresses use names and numbers reserved for documentation.",
  *check({ text }) {
    for (const host of foreignHosts(text))
      yield `Use a reserved name such as example.com, or 192.0.2.1, instead of ${host} (RFC 2606, RFC 5737).`;
  },
});

/** Hosts in links and email addresses, with any ending. */
const written = /(?:https?:\/\/(?:[^\s/@]*@)?|[^\s<@]@)([a-z0-9][a-z0-9.-]*)/gi;
/** Hosts alone, recognized by common top-level domains so that names of files and properties do not match. */
const bare =
  /(?<![\w.-])((?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|info|biz|io|dev|app|email|de|eu|fr|uk|us))(?![\w-])/gi;
const numeric = /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?![\w.]*\d)/g;

/** Names that nobody can own (RFC 2606, RFC 6761). */
const reservedName = /(^|\.)(example\.(com|org|net)|example|test|invalid)$/i;
/** Addresses set aside for documentation (RFC 5737). */
const reservedNumber = /^(192\.0\.2|198\.51\.100|203\.0\.113)\./;

/** The hosts and IPv4 addresses in a text that are not reserved for documentation. */
const foreignHosts = (text: string): string[] => {
  const decoded = text.replaceAll("%40", "@");
  const found = [written, bare, numeric].flatMap((expression) =>
    [...decoded.matchAll(expression)].map(([, host = ""]) => host.replace(/[.-]+$/, "")),
  );
  return [...new Set(found)].filter((host) => !reservedName.test(host) && !reservedNumber.test(host));
};

export const requestHasExample = ruleForEach(mediaTypes, {
  description: "Every request body has an example.",
  *check({ media, name, direction }) {
    if (direction === "request" && entriesOf(media.examples).length === 0)
      yield `Add a named example to ${name}.`;
  },
});

export const unspecifiedValuesInExamples = ruleForEach(mediaTypes, {
  description: "In examples, a text whose values are unspecified reads `unspecified`.",
  *check({ path, media }, document) {
    const schema = { path: [...path, "schema"], value: nodeOf(media.schema) };
    for (const { path: place, example } of examplesOf(document, path, media)) {
      const described = describedValues(document, schema, {
        path: [...place, "value"],
        value: example.value,
      });
      for (const { path: at, value, schema: found } of described)
        if (
          typeof value === "string" &&
          value !== "unspecified" &&
          found.value["x-extensible-enum"] === undefined &&
          isLeftUnspecified(document, found.value, [...found.path, "enum"])
        )
          yield finding(
            at,
            `Write unspecified instead of ${value}: the service does not specify the values.`,
          );
    }
  },
});
