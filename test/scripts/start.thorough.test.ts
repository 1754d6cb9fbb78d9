import { expect, test } from "vitest";
import trace from "../../generated/trace.json" with { type: "json" };
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { onProject, start } from "./project-copy.ts";

/** The sandbox has no lists of the account API, and the suite does not know the file that it would download. */
const outside = ["ATT-6", "PAGE-1", "PAGE-2", "PAGE-3", "PAGE-4", "PAGE-5"];

test("start counts paths and requirements, and ends with what to do next", async () => {
  const { status, out, err } = await onProject(start);
  expect([status, err]).toEqual([0, ""]);
  const paths = Object.keys((await readBundle()).paths).length;
  const checked = trace.requirements.filter(
    ({ id, kind, checks }) => kind !== "client" && checks.length > 0 && !outside.includes(id),
  ).length;
  expect(out).toContain(`Bundle: ${paths} paths\n`);
  expect(out).toContain(`Test the sandbox: ${checked} of ${checked} requirements pass\n`);
  expect(out).toMatch(/Test the mock: (\d+) of \1 requirements pass\n/);
  expect(out.split("\n\n").at(-1)).toBe(
    [
      "Next:",
      "  npm run sandbox                              run the service on this machine",
      "  npm run contract -- --base-url URL           test your server",
      "  npm run docs -- --serve                      read the reference",
      "",
    ].join("\n"),
  );
  const wide = out.split("\n").filter((line) => line.length > 80);
  expect(wide).toEqual([]);
});
