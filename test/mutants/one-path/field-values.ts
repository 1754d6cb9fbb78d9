import type { Mutant } from "../mutant.ts";
import { fieldsOf, type Json } from "../newsletter.ts";
import { isUpdate, posts } from "./of-contacts.ts";

export const withFieldValues =
  (change: (key: string, value: unknown) => [string, unknown] | undefined) =>
  (body: Json): Json =>
    "fields" in body && typeof body.fields === "object" && body.fields !== null
      ? {
          ...body,
          fields: Object.fromEntries(
            Object.entries(fieldsOf(body)).flatMap(([key, value]) => {
              const pair = change(key, value);
              return pair === undefined ? [] : [pair];
            }),
          ),
        }
      : body;

/** Values of custom fields that are lost only on some paths. */
export const fieldValueMutants: Mutant[] = [
  posts(
    "CONT-13",
    "null does not clear a field of type date",
    isUpdate,
    withFieldValues((key, value) => (key === "birthday" && value === null ? undefined : [key, value])),
  ),
  posts(
    "MEMB-16",
    "a second value of a field of type number is not stored",
    isUpdate,
    withFieldValues((key, value) => (key === "orders" && value !== null ? undefined : [key, value])),
  ),
  posts(
    "LIST-6",
    "a negative number in a field loses its sign",
    () => true,
    withFieldValues((key, value) => [key, typeof value === "number" ? Math.abs(value) : value]),
  ),
];
