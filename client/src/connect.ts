import { idempotencyKeyPattern, type Row } from "../../generated/client/table.ts";
import { type Answer, answerOf, type Call } from "./answer.ts";
import { exchange, type Settle } from "./exchange.ts";
import type { ClientOptions, KeyedOptions, Policy } from "./settings.ts";
import { addressForm, keyForm, usable } from "./usable.ts";

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
  notInPage(policy);
  return <Data>(row: Row, body?: unknown, options?: KeyedOptions) => {
    const call = async (): Promise<Answer<Data>> => {
      const [method, path, keyed] = row;
      const idempotencyKey = keyed && keyFor(options?.idempotencyKey);
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
          idempotencyKey,
          secret: key,
        },
        { ...policy, ...options },
        answerOf as Settle<Answer<Data>>,
      );
    };
    const answer = call();
    const data = answer.then((one) => one.data);
    const withResponse = () => {
      // Who takes the whole answer hears of a failure from it.
      data.catch(() => {});
      return answer;
    };
    return Object.assign(data, { withResponse });
  };
}

/** Refuses to run where everybody can read the key. */
export const notInPage = ({ allowBrowser }: Policy): string =>
  usable("allowBrowser", /true/, `${allowBrowser || !("document" in globalThis)}`);

/** The idempotency key of a call: the one given, where it can be a header, or a new one. */
export const keyFor = (given = crypto.randomUUID() as string): string =>
  usable("idempotencyKey", idempotencyKeyPattern, given);
