import { type Allowed, rejected } from "../allowed.ts";
import type { Given, Json } from "../world.ts";
import { entriesOf } from "./lists.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** The values of custom fields by type. */
const fitsType: Record<string, (value: unknown) => boolean> = {
  text: isText,
  number: (value) => !Number.isNaN(Number(value)),
  date: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value),
  url: (value) => isText(value) && URL.canParse(value),
};

/** The errors that a contact gets for its custom fields: for an undefined one, and for a value of another type. An error that may be has no ids. */
export function rejectionsOfFields(given: Given): Allowed[] {
  const { world, account, body } = given;
  const values = Object.entries((body.fields ?? {}) as Json);
  const known = entriesOf(given, "fields");
  // Which fields an account has is known once they are listed.
  const areListed = world.listings.get(account)?.fields !== undefined;
  const isUnknown = values.some(([name]) => !known.has(name));
  const isWrong = values.some(
    ([name, value]) => value !== null && fitsType[String(known.get(name)?.type)]?.(value) === false,
  );
  // Whether a number is sent as a number or as text is unspecified.
  const isOpen = isUnknown || values.some(([, value]) => typeof value === "number");
  const ids = [...(isUnknown && areListed ? ["CONT-11"] : []), ...(isWrong ? ["CONT-12", "LIST-9"] : [])];
  return ids.length > 0 || isOpen ? [{ ...rejected(ids, "422.invalid_request"), fields: [["fields"]] }] : [];
}
