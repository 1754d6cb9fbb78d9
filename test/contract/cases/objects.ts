import type { Schema } from "../document.ts";
import type { Change, Spot } from "./case.ts";
import { isObject, valueAt, without, withValue } from "./place.ts";
import type { Samples } from "./samples.ts";
import { noun, withArticle } from "./words.ts";

const thing = (spot: Spot): string => withArticle(noun(spot.steps));

/** The object without each of the properties that it needs. */
export const incomplete = (spot: Spot, { required = [] }: Schema): Change[] =>
  required.map((name) => ({
    property: name,
    accepted: false,
    phrase: `${thing(spot)} without ${name}`,
    body: without(spot.places[0], [name]),
  }));

/**
 * The object with as few properties as the document allows.
 * @param accepts whether the document takes a body
 */
export function smallest(
  spot: Spot,
  { properties = {} }: Schema,
  accepts: (body: unknown) => boolean,
): Change[] {
  const place = spot.places[0];
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
      phrase: `${thing(spot)} with nothing but what it needs`,
      body: without(place, dropped),
    },
  ];
}

/** `not: { required: [x] }` and `not: { anyOf: [{ required: [x] }, ...] }`: the object with an x. */
export function forbidden(spot: Spot, { not }: Schema, samples: Samples): Change[] {
  const { anyOf = [not as Schema] } = not as Schema;
  return anyOf.map(({ required, ...rest }) => {
    const [name, ...more] = required ?? [];
    if (name === undefined || more.length > 0 || Object.keys(rest).length > 0) throw unknownForm(spot, "not");
    const object = valueAt(spot.places[0]) as Record<string, unknown>;
    const body = withValue(spot.places[0], { ...object, [name]: samples.ofProperty(name) });
    return { property: name, accepted: false, phrase: `${thing(spot)} with ${name}`, body };
  });
}

/** `if: { not: { required: [x] } }, then: { required: [y] }`: at least one of x and y. */
export function conditional(spot: Spot, schema: Schema, samples: Samples): Change[] {
  const [one] = ((schema.if as Schema).not as Schema | undefined)?.required ?? [];
  const [other] = (schema.then as Schema | undefined)?.required ?? [];
  if (one === undefined || other === undefined || "else" in schema) throw unknownForm(spot, "if");
  const first = { [one]: samples.ofProperty(one) };
  const second = { [other]: samples.ofProperty(other) };
  const object = Object.entries(valueAt(spot.places[0]) as object).filter(
    ([name]) => name !== one && name !== other,
  );
  const change = (accepted: boolean, what: string, values: object): Change => ({
    accepted,
    phrase: `${thing(spot)} with ${what}`,
    body: withValue(spot.places[0], { ...Object.fromEntries(object), ...values }),
  });
  return [
    change(false, `neither ${one} nor ${other}`, {}),
    change(true, `${one} alone`, first),
    change(true, `${other} alone`, second),
    change(true, `both ${one} and ${other}`, { ...first, ...second }),
  ];
}

const unknownForm = (spot: Spot, keyword: string): Error =>
  new Error(`${spot.name} has \`${keyword}\` in a form that no case is made for: teach objects.ts about it`);
