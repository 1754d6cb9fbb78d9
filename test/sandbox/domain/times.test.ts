import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { readSendTime } from "../../../sandbox/domain/sending.ts";
import { day, readTime, writeTime } from "../../../sandbox/domain/times.ts";
import { root } from "../../../scripts/common/paths.ts";

test.each([
  ["2026-12-24T18:00:00+01:00", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T12:30:00-04:30", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T17:00:00Z", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24t17:00:00z", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24 17:00:00.5Z", "2026-12-24T17:00:00.500Z"],
  ["2026-12-24T17:00:00.123456+00", "2026-12-24T17:00:00.123Z"],
  ["2026-12-24T18:00:00+0100", "2026-12-24T17:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"],
  ["2026-12-24T17:00Z", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T18:30+0130", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T17:00:00,25Z", "2026-12-24T17:00:00.250Z"],
  ["2026-12-24T17:00.5Z", "2026-12-24T17:00:30.000Z"],
  ["2026-12-24T17:00,0083333Z", "2026-12-24T17:00:00.499Z"],
  ["20261224T170000Z", "2026-12-24T17:00:00.000Z"],
  ["20261224T1800+0100", "2026-12-24T17:00:00.000Z"],
  ["20261224t180000,5+01", "2026-12-24T17:00:00.500Z"],
  ["2026-12-24T24:00Z", "2026-12-25T00:00:00.000Z"],
  ["20240229T000000Z", "2024-02-29T00:00:00.000Z"],
])("%s is %s", (text, utc) => {
  expect(writeTime(readTime(text) ?? Number.NaN)).toBe(utc);
});

test.each([
  ..."2026-12-24 2026-12-24T17:00:00 20261224T1700 tomorrow 1798131600".split(" "),
  // Without minutes; a week and an ordinal date; mixed formats; a fraction without digits; with a line break.
  ..."2026-12-24T17Z 2026-12-24T17.5Z 2026-W52-4T17:00Z 2026W524T1700Z 2026-358T17:00Z".split(" "),
  ..."20261224T17:00Z 2026-12-24T1700Z 2026-1224T17:00Z +002026-12-24T17:00Z 2026-12-24T17:00:00.Z".split(
    " ",
  ),
  "2026-12-24\n17:00:00Z",
  "",
  // They do not exist.
  ..."2026-02-29T00:00Z 2100-02-29T00:00Z 20260431T0000Z 2026-13-01T00:00Z 2026-00-01T00:00Z".split(" "),
  ..."2026-01-00T00:00Z 2026-01-32T00:00Z 2026-01-01T25:00Z 2026-01-01T24:01Z 2026-01-01T00:60Z".split(" "),
  ..."2026-01-01T00:00:60Z 2026-01-01T00:00:61Z 2026-01-01T00:00+24:00 2026-01-01T00:00+00:60".split(" "),
])("%j is no calendar date-time with an offset", (text) => {
  expect(readTime(text)).toBeUndefined();
});

test("a year below 100 is not one of the last century", () => {
  expect(writeTime(readTime("0026-12-24T17:00:00Z") ?? Number.NaN)).toBe("0026-12-24T17:00:00.000Z");
});

test("every moment that is written is read back", () => {
  const moments = fc.date({ noInvalidDate: true, min: new Date("0100-01-01"), max: new Date("9999-12-31") });
  fc.assert(
    fc.property(moments, (moment) => {
      expect(readTime(moment.toISOString())).toBe(moment.getTime());
    }),
  );
});

test("a time to send at lies between now and the limit, both included", () => {
  const now = Date.parse("2026-03-10T09:00:00Z");
  const ahead = limits.scheduleAhead * day;
  expect(readSendTime(writeTime(now), now)).toEqual({ at: now });
  expect(readSendTime(writeTime(now + ahead), now)).toEqual({ at: now + ahead });
  expect(readSendTime(writeTime(now - 1), now)).toHaveProperty("error");
  expect(readSendTime(writeTime(now + ahead + 1), now)).toHaveProperty("error");
});

test("the domain has no clock and no chance of its own", () => {
  for (const file of globSync(`${root}/sandbox/domain/*.ts`))
    expect(readFileSync(file, "utf8"), file).not.toMatch(/Date\.now\(|new Date\(\)|Math\.random|setTimeout/);
});
