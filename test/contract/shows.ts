import { schemas } from "../../generated/validators/responses.js";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";

/** What kind of value it is, and the word for that kind. */
export interface Kind {
  word: string;
  is(value: unknown): boolean;
}

export const isText: Kind = { word: "a text", is: (value) => typeof value === "string" };
export const isList: Kind = { word: "a list", is: Array.isArray };

/** Values of a schema of the document, by its name. */
export const isOf = (schema: keyof typeof schemas, word: string): Kind => ({
  word,
  is: (value) => schemas[schema](value),
});

/** A field of the body is there and of a kind. For bodies that may have several forms, where a schema finds fault with each. */
export const shows =
  (name: string, kind: Kind) =>
  (exchange: Exchange): void => {
    const value = (exchange.json as Record<string, unknown> | null | undefined)?.[name];
    const found = value === undefined ? `no ${name}` : `${name} is ${JSON.stringify(value)}`;
    must(kind.is(value), exchange, { expected: `${name}, ${kind.word}`, found });
  };
