import { describe, expect, test } from "vitest";
import { comparison, concerned, difference, editions, instances, schemasOf } from "./edition-verdicts.ts";

const instancesOf = instances(5_000);

describe.each(editions)("%s", (_file, edition) => {
  const losses = edition["x-losses"];
  const names = schemasOf(edition).map(([name]) => name);
  const compare = comparison(edition, losses);

  test.each(names)("%s: 5,000 instances have the verdict of the source without the losses", (name) => {
    const { valid, invalid, different, rejected } = compare(name, instancesOf(name));
    expect(valid).toBeGreaterThan(0);
    expect(invalid).toBeGreaterThan(0);
    expect({ different, rejected }).toEqual({ different: [], rejected: [] });
  });

  // A component that no operation uses is lost as a whole.
  const inSchemas = losses.filter(({ pointer }) => /^\/components\/schemas\/\w+\//.test(pointer));
  test.each(inSchemas)("without the loss of $pointer, the verdicts differ", (loss) => {
    const others = losses.filter((other) => other !== loss);
    const differs = difference(edition, others);
    expect(concerned(edition, loss).some((name) => instancesOf(name).some(differs(name)))).toBe(true);
  });
});
