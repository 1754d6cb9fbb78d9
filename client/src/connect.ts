import { idempotencyKeyPattern, type Row } from "../../generated/client/table.ts";
import { type Answer, answerOf, type Call } from "./answer.ts";
import { exchange, type Settle } from "./exchange.ts";
import type { ClientOptions, KeyedOptions } from "./settings.ts";
import { addressForm, keyForm, usable } from "./usable.ts";

/** What only a browser page has. */
declare const document: unknown;

/** Makes calls of the API: what every operation stands on. */
export type Connection = <Data>(row: Row, body?: unknown, options?: KeyedOptions) => Call<Data>;

/**
 * Connects to the service: a function that makes calls with a key. It keeps the key in a closure, so that nothing that
 * prints or serializes it can show the key.
 *
 * @throws TypeError where the key or the address cannot be used, or in a browser page (AUTH-6)
 */
export function connect({ key, baseUrl, ...policy }: ClientOptions): Connection {
  usable("key", keyForm, key);
  usable("baseUrl", addressForm, baseUrl);
  policy.allowBrowser || usable("document (see allowBrowser)", /undefined/, typeof document);
  return <Data>(row: Row, body?: unknown, options?: KeyedOptions) => {
    const call = async (): Promise<Answer<Data>> => {
      const [method, path, keyed] = row;
      const idempotencyKey =
        keyed &&
        usable("idempotencyKey", idempotencyKeyPattern, options?.idempotencyKey ?? crypto.randomUUID());
      const settings: Record<string, unknown> = { ...options };
      // What is given as undefined is as the client has it, as what is left out is.
      for (const name in policy) settings[name] ??= (policy as typeof settings)[name];
      return exchange(
        {
          method,
          url: baseUrl.replace(/\/*$/, path),
          headers: {
            authorization: `Bearer ${key}`,
            accept: "application/json",
            "content-type": "application/json",
            ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
          },
          body: JSON.stringify(body),
          secret: key,
          idempotencyKey,
        },
        settings,
        answerOf as Settle<Answer<Data>>,
      );
    };
    const answer = call();
    const data = answer.then((one) => one.data);
    // Who takes the whole answer hears of a failure from it, and from nowhere else.
    return Object.assign(data, { withResponse: () => data.then(() => answer) });
  };
}
