import { type Exchange, errorOf } from "../../../contract/exchange.ts";

/** `ok`: as far as requests that send nothing can show. `wrong`: it is not what it should be. `unproven`: they cannot show it. */
export interface Finding {
  state: "ok" | "wrong" | "unproven";
  /** What was found. */
  says: string;
}

export const ok = (says: string): Finding => ({ state: "ok", says });
export const wrong = (says: string): Finding => ({ state: "wrong", says });
export const unproven = (says: string): Finding => ({ state: "unproven", says });

/** Whether a request about something of an account without a product was rejected because of the product. */
export function rejectedForProduct(
  exchange: Exchange,
  what: string,
  kind: "domain" | "contact" | "message",
): Finding {
  const response = responseText(exchange);
  return response === "402 no_plan"
    ? unproven(`rejected with 402 no_plan; whether the account has this ${kind} cannot be checked`)
    : wrong(`${what} responds with ${response}, not 402 no_plan.`);
}

/** The status and error type of a response: `403 forbidden`. */
export const responseText = (exchange: Exchange): string =>
  [exchange.status, errorOf(exchange)?.type].filter((part) => part !== undefined).join(" ");
