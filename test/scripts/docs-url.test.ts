import { expect, test } from "vitest";
import { docsUrl } from "../../scripts/common/program.ts";

test("the URL of a page is accepted", () => {
  expect(docsUrl("https://docs.example/mail")).toBe("https://docs.example/mail");
});

test.each([
  ["docs.example", 'be an http or https URL (got "docs.example")'],
  ["https://ada:secret@docs.example:99999/", "be an http or https URL"],
  ["https://:secret@docs.example/?a=1", "not contain a user or a password"],
  ["https://docs.example/?", 'not have a query or a fragment (got "https://docs.example/?")'],
  ["https://docs.example/#a", 'not have a query or a fragment (got "https://docs.example/#a")'],
])("%s is rejected, without the password", (text, rule) => {
  const message = `--docs must ${rule}`;
  expect(() => docsUrl(text)).toThrow(expect.objectContaining({ message, exitCode: 2 }));
});
