import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";

/** What kind of value it is, and the word for that kind. */
export interface Kind {
  word: string;
  is(value: unknown): boolean;
}

export const isText: Kind = { word: "a text", is: (value) => typeof value === "string" };
export const isList: Kind = { word: "a list", is: Array.isArray };
export const isScheduledId: Kind = {
  word: "a text that begins with sched_",
  is: (value) => typeof value === "string" && value.startsWith("sched_"),
};
export const isTime: Kind = {
  word: "a time",
  is: (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
};

/** A field of the body is there and of a kind. For bodies that may have several forms, where a schema finds fault with each. */
export const shows =
  (name: string, kind: Kind) =>
  (exchange: Exchange): void => {
    const value = (exchange.json as Record<string, unknown> | null | undefined)?.[name];
    const found = value === undefined ? `no ${name}` : `${name} is ${JSON.stringify(value)}`;
    must(kind.is(value), exchange, { expected: `${name}, ${kind.word}`, found });
  };
