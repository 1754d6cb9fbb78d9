import { expect, test } from "vitest";
import { tryData } from "../../../scripts/docs/sandbox/try.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

test.for([
  ["that of the publisher's service", "https://mail.bakery.example", "https://mail.bakery.example"],
  ["without one, one on this machine", undefined, "http://127.0.0.1:8080"],
] as const)("the suggested base URL is %s", async ([, baseUrl, expected]) => {
  expect(JSON.parse(tryData(await readBundle(), baseUrl))).toMatchObject({ baseUrl: expected });
});

test("the panel knows the messages that the demo accounts start with", async () => {
  expect(JSON.parse(tryData(await readBundle()))).toMatchObject({ seeded: ["sched_01JD7Q9V5N3K8R"] });
});
