import type { Fact } from "../../docs/site/facts/fact.ts";
import { plain, wholeWords } from "../../docs/site/facts/text.ts";

const words = (text: string): string[] => [text];
const afterFirstWord = (text: string): string[] => [text.replace(/^\S+ /, "")];
/** The last number, as it is and with separators. */
const number = (text: string): string[] => text.match(/-?[\d,]+(?=\D*$)/)?.slice(0, 1) ?? [];
const quoted = (text: string): string[] => [...text.matchAll(/"([^"]+)"/g)].map(([, value = ""]) => value);
const jsonType = (text: string): string[] => (/^[a-z]/.test(text) ? [text.replace(" of", "")] : []);

/** Each kind of fact, and what of its text does not depend on the wording of this site. */
const kinds: Record<string, (text: string) => string[]> = {
  ...{
    summary: words,
    description: words,
    field: words,
    parameter: words,
    header: words,
    required: () => ["required"],
  },
  ...{
    type: jsonType,
    format: words,
    pattern: afterFirstWord,
    default: quoted,
    const: quoted,
    value: quoted,
  },
  ...{ maxLength: number, maxItems: number, maxProperties: number, maximum: number, minimum: number },
  ...{ example: words, "example name": words, "example value": words },
  ...{ operationId: words, endpoint: afterFirstWord, "media type": words, status: words, document: words },
};

const groups: [string, readonly string[]][] = [
  ["summaries and descriptions", ["summary", "description"]],
  ["properties, parameters, headers", ["field", "parameter", "header"]],
  ["types and formats", ["type", "format"]],
  [
    "limits, patterns, values",
    ["maxLength", "maxItems", "maxProperties", "maximum", "minimum", "pattern", "default", "const", "value"],
  ],
  ["examples by name", ["example name"]],
  ["examples, whole", ["example value"]],
];

/**
 * Counts the facts in OpenAPI's keywords whose text is anywhere on a site. That is less strict than the tests of this site,
 * which require each fact in its section. The `x-` tables of the document, which other tools do not know, are not counted.
 */
export function countFacts(facts: readonly Fact[], text: string): string[][] {
  const shown = plain(text);
  const squeezed = text.replaceAll(/\s+/g, "");
  const found = new Map<string, boolean>();
  const isFound = (wanted: string, part: Fact["part"]): boolean => {
    const key = `${part === "code"} ${wanted}`;
    if (!found.has(key))
      found.set(key, part === "code" ? squeezed.includes(wanted.replaceAll(/\s+/g, "")) : isWritten(wanted));
    return found.get(key) === true;
  };
  const isWritten = (wanted: string): boolean =>
    [wanted, wanted.replaceAll(/(?<=\d),(?=\d)/g, "")].some((form) => wholeWords(plain(form)).test(shown));
  const counted = facts.flatMap((fact) => {
    const needles =
      fact.absent === true
        ? []
        : (kinds[fact.kind]?.(fact.text.replace("https://api.example.com", "")) ?? []);
    return needles.length === 0
      ? []
      : [{ ...fact, isShown: needles.every((one) => isFound(one, fact.part)) }];
  });
  const share = (some: typeof counted): string =>
    `${some.filter(({ isShown }) => isShown).length} of ${some.length}`;
  return [
    ["facts", share(counted)],
    ...groups.map(([name, own]) => [name, share(counted.filter(({ kind }) => own.includes(kind)))]),
  ];
}
