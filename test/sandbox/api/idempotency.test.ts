import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { fingerprint } from "../../../sandbox/api/idempotency.ts";
import { mail, startRig } from "../rig.ts";

const named = (key: string) => ({ headers: { "idempotency-key": key } });
const emails = "/api/v1/emails";

test("an empty key counts as none", async () => {
  const { post } = await startRig();
  for (const text of ["One", "Other"])
    expect((await post(emails, mail({ text }), named(""))).status).toBe(202);
});

test("a key is forgotten after its window", async () => {
  const { post, sandbox } = await startRig();
  const first = await post(emails, mail(), named("a"));
  await sandbox.clock.advance(limits.idempotencyWindow * 3_600_000);
  expect((await post(emails, mail(), named("a"))).body.id).not.toBe(first.body.id);
});

test("a response is replayed even if the same request would be rejected by now, and counts nothing", async () => {
  const { post, sandbox } = await startRig();
  const body = mail({ to: ["soon@gone.example"], scheduled_at: "2026-03-10T09:00:10Z" });
  const first = await post(emails, body, named("a"));
  await post(emails, mail());
  await sandbox.store.suppress("bakery", "soon@gone.example", "hard bounce", 0);
  await sandbox.clock.advance(60_000);
  const again = await post(emails, body, named("a"));
  expect([again.status, again.text]).toEqual([202, first.text]);
  expect(again.headers["x-service-monthly-remaining"]).toBe("9998");
  expect((await post(emails, { nothing: true }, named("a"))).type).toBe("idempotency_conflict");
});

const of = (body: unknown): string => fingerprint("sendEmail", body);

/** The value with the properties of all objects in reverse order. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, turned(one)]),
  );
};

/** Few values, so that two are often equal or nearly so. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, 0, 1, "", "1", "null", '"', ":", ",", "a", "b", "\ud800", "\udc00"),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "", '"', "__proto__"), tie("any"), { noNullPrototype: true }),
  ),
})).any;

test("two bodies have the same fingerprint if they are the same value, whatever the order of properties, and only then", () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const [first, second] = [one, other].map((given) => JSON.parse(JSON.stringify(given)));
      expect(of(turned(first))).toBe(of(first));
      expect(of(first) === of(second)).toBe(isDeepStrictEqual(first, second));
    }),
    { numRuns: 2000 },
  );
});

test("it differs by the operation", () => {
  expect(fingerprint("sendBatch", {})).not.toBe(of({}));
});

test("texts of any length count to the last character, and differ from several texts", () => {
  const piece = "x".repeat(65_536);
  const texts = ["", piece.slice(1), piece, `${piece}x`, `${piece}y`, piece + piece, `x${piece}${piece}`];
  const split = `${piece.slice(1)}😀`;
  const bodies: unknown[] = [
    ...texts,
    split,
    `${split}x`,
    `${piece.slice(1)}\ud83d`,
    [piece, piece],
    [piece + piece],
  ];
  bodies.push({ a: piece + piece }, { a: piece, [piece]: "" }, { [piece]: piece }, Array(9).fill(piece));
  expect(new Set(bodies.map(of)).size).toBe(bodies.length);
  for (const body of bodies) expect(of(structuredClone(body))).toBe(of(body));
});
