import type { Key } from "./accounts.ts";
import type { AccountState, World } from "./world.ts";

/** A request with an operation and a valid key. */
export interface RequestContext {
  world: World;
  /** The key as it was sent. */
  keyText: string;
  key: Key;
  own: AccountState;
  path: string;
  /** The path parameter, decoded; empty for a path without one. */
  parameter: string;
  text: string;
  /** By their names in lower case. */
  headers: Record<string, string | undefined>;
}

export interface ApiResponse {
  status: number;
  /** Undefined for none. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** An operation of the API. */
export interface Route {
  ability: string | null;
  product: "mail" | "news" | null;
  handle(context: RequestContext): ApiResponse;
}

/** Operations by path below /api/v1 and method. The first match counts. */
export type Routes = [RegExp, Record<string, Route>][];
