import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { fingerprint } from "../../../sandbox/api/idempotency.ts";
import { make, validRequest } from "../responses.ts";
import { hour, keys, mail, startRig } from "../rig.ts";

const named = (key: string, more: object = {}) => ({ headers: { "idempotency-key": key }, ...more });
const emails = "/api/v1/emails";
const idempotent = Object.values(operations).filter((row) => row.idempotent);
const others = Object.values(operations).filter((row) => !row.idempotent);

test.each(idempotent.map(({ id }) => id))(
  "the same request again to %s brings the same response, and does nothing",
  async (id) => {
    const rig = await startRig();
    const call = await validRequest(rig, id);
    const first = await make(rig, call, named("a"));
    const stored = await rig.sandbox.store.messages({ limit: 100 });
    const again = await make(rig, call, named("a"));
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await rig.sandbox.store.messages({ limit: 100 })).toEqual(stored);
  },
);

test.each(others.map(({ id }) => id))("%s takes no idempotency key", async (id: OperationId) => {
  const rig = await startRig();
  const call = await validRequest(rig, id);
  await make(rig, call, named("a"));
  const again = await make(rig, call, named("a"));
  expect(again.headers["idempotent-replayed"]).toBeUndefined();
});

test.each([emails, `${emails}/batch`])("identical requests at once to %s are done once", async (path) => {
  const { post, sandbox } = await startRig();
  const body = path === emails ? mail() : { emails: [mail(), mail()] };
  const responses = await Promise.all(Array.from({ length: 8 }, () => post(path, body, named("a"))));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
  expect(await sandbox.store.messages({ limit: 100 })).toHaveLength(path === emails ? 1 : 2);
});

test("a contact added twice at once is added once", async () => {
  const { post } = await startRig();
  const body = { email: "twice@readers.example", list_id: 2 };
  const responses = await Promise.all(
    [1, 2, 3].map(() => post("/api/v1/newsletter/contacts", body, named("a"))),
  );
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
});

test("another body, and another operation, are rejected", async () => {
  const { post } = await startRig();
  await post(emails, mail(), named("a"));
  expect((await post(emails, mail({ text: "Other" }), named("a"))).type).toBe("idempotency_conflict");
  expect((await post(`${emails}/batch`, { emails: [mail()] }, named("a"))).type).toBe("idempotency_conflict");
  expect((await post(emails, { nothing: true }, named("a"))).type, "a faulty body too").toBe(
    "idempotency_conflict",
  );
});

test("the order of names in a body does not count, the order of lists does", async () => {
  const { post } = await startRig();
  const message = mail({ tags: { a: "1", b: "2" }, to: ["a@x.example", "b@x.example"] });
  const turned = Object.fromEntries(Object.entries({ ...message, tags: { b: "2", a: "1" } }).reverse());
  await post(emails, message, named("a"));
  expect((await post(emails, turned, named("a"))).headers["idempotent-replayed"]).toBe("true");
  const other = { ...message, to: ["b@x.example", "a@x.example"] };
  expect((await post(emails, other, named("a"))).type).toBe("idempotency_conflict");
});

test.each([
  { one: { cc: ["a@x.example"] }, other: { bcc: ["a@x.example"] } },
  { one: { tags: { a: "1" } }, other: { tags: { b: "1" } } },
  { one: { reply_to: "a@x.example" }, other: {} },
  { one: { unknown: [] }, other: { unknown: {} } },
  { one: { unknown: ["a", 1] }, other: { unknown: { a: 1 } } },
  { one: { unknown: [[]] }, other: { unknown: [] } },
  { one: { unknown: 1 }, other: { unknown: "1" } },
  { one: { unknown: null }, other: {} },
])("$one and $other are not the same request", async ({ one, other }) => {
  const { post } = await startRig();
  expect((await post(emails, mail(one), named("a"))).status).toBe(202);
  expect((await post(emails, mail(other), named("a"))).type).toBe("idempotency_conflict");
});

test("a key counts for the API key that sent it only", async () => {
  const { post } = await startRig();
  const first = await post(emails, mail(), named("a"));
  const second = await post(emails, mail(), named("a", { key: keys.second }));
  expect(second.body.id).not.toBe(first.body.id);
});

test("a key is forgotten after its window, and not before", async () => {
  const { post, sandbox } = await startRig();
  const first = await post(emails, mail(), named("a"));
  await sandbox.clock.advance(limits.idempotencyWindow * hour - 1);
  expect((await post(emails, mail(), named("a"))).body.id).toBe(first.body.id);
  await sandbox.clock.advance(1);
  expect((await post(emails, mail(), named("a"))).body.id).not.toBe(first.body.id);
});

test("an error response is not replayed", async () => {
  const { post } = await startRig();
  expect((await post(emails, mail({ to: ["gone@readers.example"] }), named("a"))).status).toBe(422);
  expect((await post(emails, mail(), named("a"))).status).toBe(202);
});

test("a response is replayed even if the same request would be rejected by now", async () => {
  const { post, sandbox } = await startRig();
  const body = mail({ to: ["soon@gone.example"], scheduled_at: "2026-03-10T09:00:10Z" });
  const first = await post(emails, body, named("a"));
  await sandbox.store.suppress("bakery", "soon@gone.example", "hard bounce", 0);
  await sandbox.clock.advance(60_000);
  const again = await post(emails, body, named("a"));
  expect([again.status, again.text]).toEqual([202, first.text]);
});

test("a key of the maximum length is accepted, a longer one is rejected, an empty one counts as none", async () => {
  const { post } = await startRig();
  const longest = "k".repeat(limits.idempotencyKeyLength);
  expect((await post(emails, mail(), named(longest))).status).toBe(202);
  expect((await post(emails, mail(), named(`${longest}k`))).fields).toEqual(["Idempotency-Key"]);
  await post(emails, mail(), named(""));
  expect((await post(emails, mail({ text: "Other" }), named(""))).status).toBe(202);
});

test("a request whose connection was cut was processed, and its repetition replays the response", async () => {
  const { post, sandbox } = await startRig();
  await sandbox.failures.add({ kind: "cut" }, 1);
  await expect(post(emails, mail(), named("a"))).rejects.toThrow();
  expect((await post(emails, mail(), named("a"))).headers["idempotent-replayed"]).toBe("true");
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
