import { expect, test } from "vitest";
import { nearest } from "../../lib/nearest.ts";

test.each([
  ["sslmod", "sslmode"],
  ["SSLMODE", "sslmode"],
  ["sslrootcrt", "sslrootcert"],
  ["usr", "user"],
  ["ost", "host"],
])("of some names, %s is nearest to %s", (given, name) => {
  expect(nearest(given, ["host", "sslcert", "sslmode", "sslrootcert", "user"])).toBe(name);
});

test("without names there is none", () => {
  expect(nearest("host", [])).toBeUndefined();
});
