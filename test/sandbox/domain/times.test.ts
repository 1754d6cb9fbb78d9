import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import { readSendTime } from "../../../sandbox/domain/scheduling.ts";
import { day, readTime, writeTime } from "../../../sandbox/domain/times.ts";

test.each([
  ["2026-12-24T18:00:00+01:00", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T12:30:00-04:30", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24T17:00:00Z", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24t17:00:00z", "2026-12-24T17:00:00.000Z"],
  ["2026-12-24 17:00:00.5Z", "2026-12-24T17:00:00.500Z"],
  ["2026-12-24T17:00:00.123456+00", "2026-12-24T17:00:00.123Z"],
  ["2026-12-24T18:00:00+0100", "2026-12-24T17:00:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
])("%s is %s", (text, utc) => {
  expect(writeTime(readTime(text) ?? Number.NaN)).toBe(utc);
});

test.each(["2026-12-24", "2026-12-24T17:00:00", "tomorrow", "2026-12-24T17:00Z", "1798131600", ""])(
  "%j is no time with an offset",
  (text) => {
    expect(readTime(text)).toBeUndefined();
  },
);

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
  expect(readSendTime(writeTime(now - 1), now)).toHaveProperty("fault");
  expect(readSendTime(writeTime(now + ahead + 1), now)).toHaveProperty("fault");
});
