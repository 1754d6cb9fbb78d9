import { type Exchange, errorOf } from "../../../test/contract/exchange.ts";

/** `ok`: as far as requests that send nothing can show. `wrong`: it is not what it should be. `unproven`: only a run shows it. */
export interface Finding {
  state: "ok" | "wrong" | "unproven";
  /** What was found. */
  says: string;
}

export const ok = (says: string): Finding => ({ state: "ok", says });
export const wrong = (says: string): Finding => ({ state: "wrong", says });
export const unproven = (says: string): Finding => ({ state: "unproven", says });

/** The status and error type of a response: `403 forbidden`. */
export const responseText = (exchange: Exchange): string =>
  [exchange.status, errorOf(exchange)?.type].filter((part) => part !== undefined).join(" ");
