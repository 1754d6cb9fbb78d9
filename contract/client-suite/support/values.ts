import type { ClientTester } from "../engine/client-tester.ts";
import { bodyOf } from "./bodies.ts";

/** Letters outside ASCII, of one to four bytes, combined and joined. */
export const umlauts = "Grüße, Zoë & Ørsted: Łódź, Ελλάδα, Привет, 東京, עברית, e\u0301, 🎂, 👩‍🍳, 🇫🇷";

/** Every printable ASCII character. */
export const everyAscii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .join("")
  .trim();

/** The body of an upsert, with further properties. */
export const contact = (more: Record<string, unknown>): Record<string, unknown> => ({
  email: "ada@readers.example",
  list_id: 2,
  ...more,
});

/** Schedules a message and returns its id. */
export async function scheduled(tester: ClientTester): Promise<string> {
  const { json } = await tester.request("sendEmail", { body: bodyOf("sendEmail", "scheduled") });
  return (json as { id: string }).id;
}
