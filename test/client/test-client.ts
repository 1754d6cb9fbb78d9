import { type Client, createClient } from "../../client/src/index.ts";
import type { ClientOptions } from "../../client/src/options.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { type RecordedRequest, type Step, scriptFetch } from "./scripted-fetch.ts";

export const key = "sk_test_0123456789abcdef";
export const message = {
  from: "shop@mail.example.com",
  to: ["ada@example.com"],
  subject: "Hello",
  text: "Hello Ada",
};
export const accepted = { id: "01JD7Q2M4T8VX3W5", to: ["ada@example.com"], suppressed: [] };

/** A client with a scripted server, a fake clock and no randomness. */
export interface TestClient {
  client: Client;
  clock: FakeClock;
  requests: RecordedRequest[];
  /** Advances the clock until a promise is settled. */
  until: FakeClock["until"];
  options: ClientOptions;
}

export function testClient(script: Step[], more: Partial<ClientOptions> = {}): TestClient {
  const clock = createFakeClock();
  const { fetch, requests } = scriptFetch(...script);
  const options = { key, baseUrl: "https://api.example.com", fetch, clock, random: () => 0, ...more };
  return { client: createClient(options), clock, requests, until: clock.until, options };
}

/** The reason that a promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("the promise did not reject");
    },
    (reason: unknown) => reason,
  );
