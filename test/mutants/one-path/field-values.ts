import type { Mutant } from "../mutant.ts";
import { fieldsOf, type Json, without } from "../newsletter.ts";
import { isSecondUpdate, isUpdate, joinedAs, posts } from "./of-contacts.ts";

export const withFieldValues =
  (change: (key: string, value: unknown, index: number, all: unknown[]) => [string, unknown] | undefined) =>
  (body: Json): Json =>
    "fields" in body && typeof body.fields === "object" && body.fields !== null
      ? {
          ...body,
          fields: Object.fromEntries(
            Object.entries(fieldsOf(body)).flatMap(([key, value], index, all) => {
              const pair = change(
                key,
                value,
                index,
                all.map(([, one]) => one),
              );
              return pair === undefined ? [] : [pair];
            }),
          ),
        }
      : body;

/** The demo account's fields of each type. */
export const keys = { number: "orders", date: "birthday", url: "website", text: "city" };

const ofNulls: Mutant[] = [
  ...Object.entries(keys).map(([type, key]) =>
    posts(
      "CONT-13",
      `null does not clear a field of type ${type}`,
      isUpdate,
      withFieldValues((name, value) => (name === key && value === null ? undefined : [name, value])),
    ),
  ),
  posts(
    "CONT-13",
    "null next to a value does not clear its field",
    isUpdate,
    withFieldValues((name, value, _, all) =>
      value === null && all.some((one) => one !== null) ? undefined : [name, value],
    ),
  ),
  posts(
    "CONT-13",
    "only the first of several nulls clears its field",
    isUpdate,
    withFieldValues((name, value, index, all) =>
      value === null && all.indexOf(null) < index ? undefined : [name, value],
    ),
  ),
  posts(
    "CONT-13",
    "a value next to null is not stored",
    isUpdate,
    withFieldValues((name, value, _, all) =>
      value !== null && all.includes(null) ? undefined : [name, value],
    ),
  ),
  posts(
    "CONT-13",
    "null does not clear a field of a pending contact",
    joinedAs("pending"),
    withFieldValues((name, value) => (value === null ? undefined : [name, value])),
  ),
  posts(
    "CONT-13",
    "null does not clear a field in the second update",
    isSecondUpdate,
    withFieldValues((name, value) => (value === null ? undefined : [name, value])),
  ),
  ...["first_name", "last_name", "tags"].map((name) =>
    posts(
      "MEMB-16",
      `${name} in an update that clears a field is not stored`,
      ({ member, body }) => member !== undefined && Object.values(fieldsOf(body)).includes(null),
      (body) => without(body, name),
    ),
  ),
];

/** Keeps the first value of a field. */
const ofValues: Mutant[] = [
  ...Object.entries(keys).map(([type, key]) =>
    posts(
      "MEMB-16",
      `a second value of a field of type ${type} is not stored`,
      isUpdate,
      withFieldValues((name, value) => (name === key && value !== null ? undefined : [name, value])),
    ),
  ),
  posts(
    "LIST-6",
    "a negative number in a field loses its sign",
    () => true,
    withFieldValues((name, value) => [name, typeof value === "number" ? Math.abs(value) : value]),
  ),
  posts(
    "MEMB-16",
    "only the first of several field values is stored in an update",
    isUpdate,
    withFieldValues((name, value, index) => (index > 0 ? undefined : [name, value])),
  ),
];

/** Values of custom fields that are lost only on some paths. */
export const fieldValueMutants: Mutant[] = [...ofNulls, ...ofValues];
