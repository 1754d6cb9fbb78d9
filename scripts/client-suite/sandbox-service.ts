import { randomBytes } from "node:crypto";
import type { Service } from "../../contract/client-suite/engine/lane.ts";
import {
  exampleTime,
  type Message,
  type RemoteMessage,
  type RemoteSandbox,
  type Sandbox,
  type Seed,
  startSandbox,
} from "../../sandbox/index.ts";
import demo from "../../sandbox/seed/demo.json" with { type: "json" };

/**
 * Starts a sandbox as the service that a client is tested with: the demo accounts at the time at which the examples of the document are
 * valid, with a new API key and without a rate limit.
 *
 * @param at the URL of a running sandbox, in which to use a workspace instead
 */
export async function startSandboxService(at?: string): Promise<Service> {
  const key = `key_${randomBytes(16).toString("hex")}`;
  const options = {
    seed: seedWithKey(key),
    clock: { startAt: Date.parse(exampleTime) },
    requestsPerMinute: 1_000_000,
  };
  return serviceOf(await startSandbox({ ...options, at }), key);
}

/** A sandbox as the service that a client is tested with. */
export const serviceOf = (sandbox: Sandbox | RemoteSandbox, key: string): Service => ({
  baseUrl: sandbox.url,
  key,
  messages: async () => (await sandbox.outbox.messages()).map(withoutIdentity),
  advance: async (milliseconds) => {
    await sandbox.clock.advance(milliseconds);
  },
  reset: sandbox.reset,
  close: sandbox.close,
});

/** The demo accounts; the first key, which has all abilities, is another one. */
function seedWithKey(key: string): Seed {
  const seed = structuredClone(demo) as Seed;
  const [first] = seed.accounts[0]?.keys ?? [];
  if (first === undefined) throw new Error("the demo seed has no key");
  first.key = key;
  return seed;
}

/** What makes two messages the same for their recipients. */
function withoutIdentity(message: Message | RemoteMessage): string {
  const { from, to, cc, bcc, tags } = message;
  const { content = {} } = message as Partial<Message>;
  const { subject, html, text, attachments } = { ...message, ...content } as RemoteMessage;
  return JSON.stringify({ from, to, cc, bcc, tags, subject, html, text, attachments });
}
