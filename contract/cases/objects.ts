import { isObject } from "../../lib/objects.ts";
import type { Schema } from "../document.ts";
import type { Change, SchemaLocation } from "./case.ts";
import { valueAt, without, withValue } from "./location.ts";
import type { Samples } from "./samples.ts";
import { noun, withArticle } from "./words.ts";

const thing = (at: SchemaLocation): string => withArticle(noun(at.steps));

/** The object without each of its required properties. */
export const incomplete = (at: SchemaLocation, { required = [] }: Schema): Change[] =>
  required.map((name) => ({
    property: name,
    accepted: false,
    phrase: `${thing(at)} without ${name}`,
    body: without(at.locations[0], [name]),
  }));

/** The object with as few properties as possible. */
export function smallest(
  at: SchemaLocation,
  { properties = {} }: Schema,
  accepts: (body: unknown) => boolean,
): Change[] {
  const place = at.locations[0];
  const object = valueAt(place);
  if (!isObject(object)) return [];
  const dropped: string[] = [];
  for (const name of Object.keys(properties).reverse()) {
    if (name in object && accepts(without(place, [...dropped, name]))) dropped.push(name);
  }
  if (dropped.length === 0) return [];
  return [
    {
      accepted: true,
      phrase: `${thing(at)} with only its required properties`,
      body: without(place, dropped),
    },
  ];
}

/** `not: { required: [x] }` and `not: { anyOf: [{ required: [x] }, ...] }`: the object with an x. */
export function forbidden(at: SchemaLocation, { not }: Schema, samples: Samples): Change[] {
  const { anyOf = [not as Schema] } = not as Schema;
  return anyOf.map(({ required, ...rest }) => {
    const [name, ...more] = required ?? [];
    const others = Object.keys(rest).filter((keyword) => !keyword.startsWith("x-"));
    if (name === undefined || more.length > 0 || others.length > 0) throw unknownForm(at, "not");
    const object = valueAt(at.locations[0]) as Record<string, unknown>;
    const body = withValue(at.locations[0], { ...object, [name]: samples.ofProperty(name) });
    return { property: name, accepted: false, phrase: `${thing(at)} with ${name}`, body };
  });
}

/** `if: { not: { required: [x] } }, then: { required: [y] }`: at least one of x and y. */
export function conditional(at: SchemaLocation, schema: Schema, samples: Samples): Change[] {
  const [one] = ((schema.if as Schema).not as Schema | undefined)?.required ?? [];
  const [other] = (schema.then as Schema | undefined)?.required ?? [];
  if (one === undefined || other === undefined || "else" in schema) throw unknownForm(at, "if");
  const first = { [one]: samples.ofProperty(one) };
  const second = { [other]: samples.ofProperty(other) };
  const object = Object.entries(valueAt(at.locations[0]) as object).filter(
    ([name]) => name !== one && name !== other,
  );
  const change = (accepted: boolean, what: string, values: object): Change => ({
    accepted,
    phrase: `${thing(at)} with ${what}`,
    body: withValue(at.locations[0], { ...Object.fromEntries(object), ...values }),
  });
  return [
    change(false, `neither ${one} nor ${other}`, {}),
    change(true, `${one} alone`, first),
    change(true, `${other} alone`, second),
    change(true, `both ${one} and ${other}`, { ...first, ...second }),
  ];
}

const unknownForm = (at: SchemaLocation, keyword: string): Error =>
  new Error(`${at.name} has \`${keyword}\` in a form that has no cases: add it to objects.ts`);
