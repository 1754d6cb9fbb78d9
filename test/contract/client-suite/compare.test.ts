import { describe, expect, it } from "vitest";
import { differenceOf } from "../../../contract/client-suite/engine/compare.ts";

const nested = { a: [{ b: 1 }, { b: [null, "x"] }] };

describe("differenceOf", () => {
  it.each<{ title: string; expected: unknown; found: unknown; want: string | undefined }>([
    { title: "equal values", expected: nested, found: structuredClone(nested), want: undefined },
    {
      title: "another order of properties",
      expected: { a: 1, b: 2 },
      found: { b: 2, a: 1 },
      want: undefined,
    },
    { title: "another number", expected: 12.5, found: 12, want: "the value is 12, not 12.5" },
    { title: "a number as a text", expected: { id: 7 }, found: { id: "7" }, want: 'id is "7", not 7' },
    { title: "null for an empty text", expected: { a: "" }, found: { a: null }, want: 'a is null, not ""' },
    {
      title: "a value deep inside",
      expected: nested,
      found: { a: [{ b: 1 }, { b: [null, "y"] }] },
      want: 'a.1.b.1 is "y", not "x"',
    },
    { title: "a missing property", expected: { a: { b: 1 } }, found: { a: {} }, want: "a.b is missing" },
    { title: "a missing null", expected: { a: null }, found: {}, want: "a is missing" },
    { title: "an added null", expected: {}, found: { cc: null }, want: "cc is added: null" },
    {
      title: "an added property deep inside",
      expected: { a: [{}] },
      found: { a: [{ b: 1 }] },
      want: "a.0.b is added: 1",
    },
    { title: "a shorter array", expected: [1, 2], found: [1], want: "the array has 1 items, not 2" },
    {
      title: "another order of an array",
      expected: { a: [1, 2] },
      found: { a: [2, 1] },
      want: "a.0 is 2, not 1",
    },
    { title: "an object for an array", expected: [], found: {}, want: "the value is {}, not []" },
    {
      title: "a property named as one of every object",
      expected: { constructor: "x" },
      found: {},
      want: "constructor is missing",
    },
    {
      title: "the same time with another offset",
      expected: "2027-02-21T10:00:00+01:00",
      found: "2027-02-21T09:00:00Z",
      want: undefined,
    },
    {
      title: "another time",
      expected: "2027-02-21T10:00:00+01:00",
      found: "2027-02-21T10:00:00Z",
      want: 'the value is "2027-02-21T10:00:00Z", not "2027-02-21T10:00:00+01:00"',
    },
    {
      title: "a time without its fraction of a second",
      expected: "2027-02-21T09:00:00.5Z",
      found: "2027-02-21T09:00:00Z",
      want: 'the value is "2027-02-21T09:00:00Z", not "2027-02-21T09:00:00.5Z"',
    },
    {
      title: "a date as a time",
      expected: "1984-02-29",
      found: "1984-02-29T00:00:00Z",
      want: 'the value is "1984-02-29T00:00:00Z", not "1984-02-29"',
    },
  ])("tells $title", ({ expected, found, want }) => {
    expect(differenceOf(expected, found)).toBe(want);
  });

  it.each<{ title: string; expected: unknown; found: unknown; want: string | undefined }>([
    { title: "a missing null", expected: { a: { b: null } }, found: { a: {} }, want: undefined },
    { title: "a further property", expected: { a: [{}] }, found: { a: [{ b: 1 }], c: 2 }, want: undefined },
    {
      title: "a time without its fraction of a second",
      expected: "2027-02-21T09:00:00.5Z",
      found: "2027-02-21T09:00:00+00:00",
      want: undefined,
    },
    { title: "a missing value", expected: { a: "" }, found: {}, want: "a is missing" },
    { title: "null for a value", expected: { a: 0 }, found: { a: null }, want: "a is null, not 0" },
    { title: "a shorter array", expected: { a: [null] }, found: { a: [] }, want: "a has 0 items, not 1" },
    {
      title: "a time a second later",
      expected: "2027-02-21T09:00:00Z",
      found: "2027-02-21T09:00:01Z",
      want: 'the value is "2027-02-21T09:00:01Z", not "2027-02-21T09:00:00Z"',
    },
  ])("tells of a response $title", ({ expected, found, want }) => {
    expect(differenceOf(expected, found, { lenient: true })).toBe(want);
  });

  it("cuts long values", () => {
    expect(differenceOf("a", "b".repeat(500))?.length).toBeLessThan(200);
  });
});
