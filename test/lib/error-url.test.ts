import { expect, test } from "vitest";
import { errorUrl } from "../../lib/text.ts";

const rows = { "404.not_found": {}, "500": {} };

test.for([
  ["https://docs.test/", 404, "not_found", "https://docs.test/errors/#404-not_found"],
  ["https://docs.test/mail", 500, null, "https://docs.test/mail/errors/#500"],
  ["https://docs.test/", 500, "other", "https://docs.test/errors/#500"],
  ["https://docs.test/", 404, "other", undefined],
  ["https://docs.test/", 200, null, undefined],
] as const)("%s: the row of %i %s is %s", ([site, status, type, expected]) => {
  expect(errorUrl(site, rows, { status, type })).toBe(expected);
});
