import { expect, it } from "vitest";
import { Observer } from "../../contract/observe/observer.ts";

const secret = "qzxv/K3y.0123456789";

it("credentials need no more memory than they may", () => {
  const { credentials } = new Observer();
  for (let index = 0; index < 120; index += 1) {
    const authorization = `Bearer ${index}${"k".repeat(10_000)}`;
    credentials.add({ url: "/", requestHeaders: { authorization }, responseHeaders: {} });
  }
  const of = (index: number): string => `${index}${"k".repeat(10_000)}`;
  expect([of(0), of(119)].map((text) => credentials.redact(text).length)).toEqual([10_001, 3]);
});

it.each([
  ["backslashes", "\\", secret],
  ["%25", "%25", secret],
  ["&amp;", "&amp;", secret],
  ["&#0", "&#0", secret],
  ["the letter of which a long credential consists", "k", "k".repeat(20_000)],
])("redaction of a long text of %s ends", (_, part, own) => {
  const { credentials } = new Observer();
  credentials.add({ url: "/", requestHeaders: { authorization: `Bearer ${own}` }, responseHeaders: {} });
  // What takes time by the square of the length takes hours.
  expect(credentials.redact(`${part.repeat(200_000)} ${own}`)).toMatch(/ \*\*\*$/);
});
