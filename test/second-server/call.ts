import type { Key } from "./accounts.ts";
import type { Holdings, World } from "./world.ts";

/** A call that was let in. */
export interface Call {
  world: World;
  /** The key's own text, and what it may do. */
  keyText: string;
  key: Key;
  own: Holdings;
  path: string;
  /** The open part of the path, decoded; empty where there is none. */
  part: string;
  text: string;
  /** The headers by their names in small letters. */
  headers: Record<string, string | undefined>;
}

export interface Answer {
  status: number;
  /** No body where undefined. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** One call of the API. */
export interface Route {
  ability: string | null;
  product: "mail" | "news" | null;
  handle(call: Call): Answer;
}
