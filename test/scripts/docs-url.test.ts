import { expect, test } from "vitest";
import type { UserError } from "../../lib/user-error.ts";
import { docsUrl } from "../../scripts/common/program.ts";

function failure(text: string): UserError {
  try {
    docsUrl(text);
  } catch (error) {
    return error as UserError;
  }
  throw new Error("accepted");
}

test("the URL of a page is accepted", () => {
  expect(docsUrl("https://docs.example/mail")).toBe("https://docs.example/mail");
});

test.each([
  ["docs.example", 'be an http or https URL (got "docs.example")'],
  ["ftp://docs.example/", 'be an http or https URL (got "ftp://docs.example/")'],
  ["https://ada:secret@docs.example:99999/", "be an http or https URL"],
  ["https://ada:secret@docs.example/", "have no user and no password"],
  ["https://:secret@docs.example/?a=1", "have no user and no password"],
  ["https://docs.example/?a=1", 'have no query and no fragment (got "https://docs.example/?a=1")'],
  ["https://docs.example/?", 'have no query and no fragment (got "https://docs.example/?")'],
  ["https://docs.example/#a", 'have no query and no fragment (got "https://docs.example/#a")'],
])("%s is rejected, without the password", (text, rule) => {
  const { message, hint, stack, exitCode } = failure(text);
  expect(message).toBe(`--docs must ${rule}`);
  expect(exitCode).toBe(2);
  expect(`${hint} ${stack}`).not.toContain("secret");
});
