import { accountOf } from "../../engine/settings.ts";
import { type Allowed, invalid } from "../allowed.ts";
import type { Context, Json, ModelRequest, World } from "../world.ts";
import { entriesOf } from "./lists.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** The values of custom fields by type. */
const fitsType: Record<string, (value: unknown) => boolean> = {
  text: isText,
  number: (value) => !Number.isNaN(Number(value)),
  date: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value),
  url: (value) => isText(value) && URL.canParse(value),
};

/** The errors that a contact gets for its custom fields: for an undefined one, and for a value of another type. */
export function rejectionsOfFields(
  world: World,
  { key, body = {} }: ModelRequest,
  context: Context,
): Allowed[] {
  const values = Object.entries((body.fields ?? {}) as Json);
  const account = accountOf(key);
  const known = entriesOf(world, "fields", account, context);
  const areAllKnown = world.listings.get(account)?.fields !== undefined;
  const isUndefined = areAllKnown && values.some(([name]) => !known.has(name));
  const isWrong = values.some(
    ([name, value]) => value !== null && fitsType[String(known.get(name)?.type)]?.(value) === false,
  );
  const ids = [...(isUndefined ? ["CONT-11"] : []), ...(isWrong ? ["CONT-12", "LIST-9"] : [])];
  return ids.length === 0 ? [] : [invalid(ids, "fields")];
}

/** Whether a number is sent as a number or as text is unspecified, and which fields an account has is known once they are listed. */
export function openRejections(world: World, { key, body = {} }: ModelRequest, context: Context): Allowed[] {
  const known = entriesOf(world, "fields", accountOf(key), context);
  const isOpen = Object.entries((body.fields ?? {}) as Json).some(
    ([name, value]) => typeof value === "number" || !known.has(name),
  );
  return isOpen ? [invalid([], "fields")] : [];
}
