import { createHash } from "node:crypto";
import type { Answer, Call } from "./call.ts";
import { Refusal } from "./refusal.ts";

const day = 86_400_000;

/**
 * Does the work of a call once for each idempotency key, and gives what it was answered whenever it comes again with the very same
 * bytes. What was refused is not kept.
 */
export function once(call: Call, work: () => Answer): Answer {
  const name = call.headers["idempotency-key"];
  if (name === undefined) return work();
  if (name.length > 256)
    throw new Refusal(422, "invalid_request", "The idempotency key is too long.", {
      faults: { "Idempotency-Key": ["has more than 256 characters"] },
    });
  const { answered, now } = call.world;
  const place = JSON.stringify([call.keyText, call.path, name]);
  const fingerprint = createHash("sha256").update(call.text).digest("base64");
  const before = answered.get(place);
  if (before !== undefined && before.at > now() - day) {
    if (before.fingerprint !== fingerprint)
      throw new Refusal(409, "idempotency_conflict", "That key stands for another request.");
    return {
      status: before.status,
      body: before.body,
      headers: { ...before.headers, "Idempotent-Replayed": "true" },
    };
  }
  const answer = work();
  answered.set(place, { fingerprint, ...answer, at: now() });
  return answer;
}
