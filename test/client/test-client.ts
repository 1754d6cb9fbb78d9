import { type Client, createClient } from "../../client/src/index.ts";
import type { ClientOptions } from "../../client/src/options.ts";
import { type HeldClock, holdClock } from "./fake-clock.ts";
import { type Made, type Step, scriptFetch } from "./scripted-fetch.ts";

export const key = "sk_test_0123456789abcdef";
export const message = {
  from: "shop@mail.example.com",
  to: ["ada@example.com"],
  subject: "Hello",
  text: "Hello Ada",
};
export const accepted = { id: "01JD7Q2M4T8VX3W5", to: ["ada@example.com"], suppressed: [] };

/** A client before a scripted server, in held time, without chance. */
export interface Rig {
  client: Client;
  clock: HeldClock;
  made: Made[];
  /** Lets time go on until a call is over. */
  until: HeldClock["until"];
  options: ClientOptions;
}

export function rig(script: Step[], more: Partial<ClientOptions> = {}): Rig {
  const clock = holdClock();
  const { fetch, made } = scriptFetch(...script);
  const options = { key, baseUrl: "https://api.example.com", fetch, clock, random: () => 0, ...more };
  return { client: createClient(options), clock, made, until: clock.until, options };
}

/** What a promise is rejected with. Fails when it is not. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("it was not rejected");
    },
    (reason: unknown) => reason,
  );
