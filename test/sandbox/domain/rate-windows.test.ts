import fc from "fast-check";
import { expect, test } from "vitest";
import { RateWindows, rateWindow } from "../../../sandbox/domain/rate-windows.ts";

test("the window has the requests of the last minute, also when thousands came at the same or at different times", () => {
  const gaps = fc.array(fc.nat({ max: 200 }), { minLength: 1_000, maxLength: 3_000 });
  fc.assert(
    fc.property(gaps, (pauses) => {
      const windows = new RateWindows();
      const counted: number[] = [];
      let now = 1_000_000;
      for (const [index, pause] of pauses.entries()) {
        // Most of them at the same time as the one before.
        now += index % 3 === 0 ? pause : 0;
        while ((counted[0] ?? now) <= now - rateWindow) counted.shift();
        expect(windows.count("a", now, 900)).toEqual({ used: counted.length, oldest: counted[0] ?? null });
        if (counted.length < 900) counted.push(now);
      }
    }),
    { numRuns: 20 },
  );
});
