import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Settings } from "../../../contract/engine/settings.ts";
import { Observer } from "../../../contract/observe/observer.ts";
import { Traffic } from "../../../scripts/observe/traffic.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { mostAtOnce } from "../proxied.ts";
import { failuresOf } from "../samples.ts";
import { forms, fromArchive, fromRecording, type Precision, precisions } from "./forms.ts";
import { ofApplication, ofSuite, type Recorded, randomOf, trafficOf } from "./traffic.ts";

/** What observers with a configuration and without one find in a record. */
function foundIn(record: readonly Parameters<Traffic["add"]>[0][], given: Settings): string[] {
  const { keys, fixtures, deadlines } = given;
  const known = { keys, fixtures, deadlines };
  return [{ ...known, isAllTraffic: true }, known, {}].flatMap((options) => {
    const observer = new Observer(options);
    const traffic = new Traffic(observer);
    for (const exchange of record) traffic.add(exchange);
    observer.end();
    expect(observer.tally.passes.size).toBeGreaterThan(30);
    return failuresOf(observer);
  });
}

/** The checks of what several requests have in common. */
const ofSuitePart = /^(IDEM|CONT|LIMIT|HEAD|SCHED)/;

describe.each([1, 5, 20])(
  "records of a correct server over %i connections show no failure",
  (connections) => {
    const records: Recorded[][] = [];
    let settings: Settings;
    beforeAll(async () => {
      const random = randomOf(connections);
      for (const send of [ofSuite(connections, ofSuitePart), ofApplication(connections, 150, random)]) {
        const found = await trafficOf(send, random);
        records.push(found.traffic);
        settings = found.settings;
      }
      expect(Math.max(...records.map(mostAtOnce))).toBeGreaterThan(0.7 * connections);
    });

    const cases = Object.keys(precisions).map((precision) => precision as Precision);
    it.each(Object.keys(forms).flatMap((form) => cases.map((precision) => [form, precision] as const)))(
      "in the form of %s, with %s",
      (form, precision) => {
        for (const traffic of records)
          expect(foundIn(fromArchive(traffic, form, precision), settings)).toEqual([]);
      },
    );

    it.each(cases)("of the proxy, with %s", async (precision) => {
      const file = join(temporaryFolder(), "a.ndjson");
      for (const keys of [{}, settings.keys])
        for (const traffic of records)
          expect(foundIn(await fromRecording(traffic, { precision, file, keys }), settings)).toEqual([]);
    });
  },
);
