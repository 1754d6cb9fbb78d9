import type fc from "fast-check";
import { AssertionFailure } from "../engine/assert.ts";
import { type Check, check, type Need, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import * as hostile from "../generated-cases/hostile-values.ts";
import { contrasted } from "../text.ts";
import type { Json } from "./assertions.ts";

export type Value = string | number;

/** What shows the values of a request, and the exchange to report. */
export interface View {
  source: Json;
  exchange: Exchange;
}

/** How requests with values are sent, and where they are shown. */
export interface Way {
  needs: readonly Need[];
  /** Sends a request with these properties; resolves to all that shows them. */
  send(tester: Tester, properties: Json): Promise<View[]>;
  isKept(sent: Value, found: unknown): boolean;
}

/** A property of requests that responses, records or the mail show. */
export interface Property extends Way {
  /** In messages, with an article; the index is that of the value in its request. */
  name: string | ((sent: Value, index: number, view: number, properties: Json) => string);
  /** The requirements that a value is kept, by view; null: it is not there. The last ones are also those of further views. */
  ids: readonly (string | readonly string[] | null)[];
  /** Default: texts of at most `maxLength`. */
  values?(tester: Tester): fc.Arbitrary<readonly Value[]>;
  maxLength?: number;
  /** The requirements that are not met either if only texts of more than half of `maxLength` are changed. */
  lengthIds?: readonly string[];
  /** How many values the profile `core` sends; default: none. */
  core?: number;
  /** How many values one request has; default: 1. */
  most?: number | ((tester: Tester) => Promise<number>);
  fill(values: readonly Value[], tester: Tester): Json | Promise<Json>;
  /** The value in what shows it; `index` is its place in the request with these properties. */
  read(source: Json, value: Value, index: number, view: number, properties: Json): unknown;
}

/** The first value that does not come back as it was sent. */
async function findChanged(
  tester: Tester,
  { name, most = 1, fill, send, ids, read, isKept }: Property,
  values: readonly Value[],
) {
  const size = typeof most === "number" ? most : await most(tester);
  const starts = [...values.keys()].filter((index) => index % size === 0);
  const changed = starts.map(async (start) => {
    const group = values.slice(start, start + size);
    const properties = await fill(group, tester);
    const views = await send(tester, properties);
    return views.flatMap(({ source, exchange }, view) =>
      group.flatMap((sent, index) => {
        const { [view]: id = ids.at(-1) ?? null } = ids;
        const found = id !== null && read(source, sent, index, view, properties);
        if (id === null || isKept(sent, found)) return [];
        const named = typeof name === "string" ? name : name(sent, index, view, properties);
        return [{ sent, name: named, found, exchange, failed: [id].flat() }];
      }),
    );
  });
  return (await Promise.all(changed)).flat()[0];
}

/** After as many, parts of the longest text are short. */
const mostRounds = 10;

async function assertKept(tester: Tester, property: Property): Promise<void> {
  const {
    maxLength = Infinity,
    lengthIds = [],
    values: arbitrary = () => hostile.texts(maxLength),
  } = property;
  const all = hostile.sampled(tester, arbitrary(tester));
  const values = tester.settings.profile === "core" ? all.slice(0, property.core) : all;
  let changed = await findChanged(tester, property, values);
  if (changed === undefined) return;
  for (let round = 0; round < mostRounds; round += 1) {
    const parts: string[] = typeof changed.sent === "string" ? hostile.partsOf(changed.sent) : [];
    // The server may reject a part, for example of a date.
    const next: Awaited<ReturnType<typeof findChanged>> | false =
      parts.length > 0 && (await findChanged(tester, property, parts).catch(() => undefined));
    if (!next) break;
    changed = next;
  }
  const { sent, name, found, exchange, failed } = changed;
  const expected = `${name} ${contrasted(sent, found)}`;
  const isLong = 2 * [...String(sent)].length > maxLength;
  throw new AssertionFailure(exchange, { expected, found: contrasted(found, sent) }, [
    ...failed,
    ...(isLong ? lengthIds : []),
  ]);
}

export const isEqual = (sent: Value, found: unknown): boolean => found === sent;

/** The same text, but for its normal form and the space at its ends, which are unspecified. */
export const isSameText = (sent: Value, found: unknown): boolean =>
  typeof found === "string" && found.normalize("NFC").trim() === String(sent).normalize("NFC").trim();

/** The case of a recipient's local part is unspecified. */
export const isSameAddress = (sent: Value, found: unknown): boolean =>
  String(found).toLowerCase() === String(sent).toLowerCase();

/** The entry that is the value, the only one, or all. */
export function entryIn(list: unknown, value: Value, isSame: Property["isKept"]): unknown {
  const entries = Array.isArray(list) ? (list as unknown[]) : [];
  return entries.find((entry) => isSame(value, entry)) ?? (entries.length === 1 ? entries[0] : entries);
}

/** One test case per property. */
export function kept(title: string, properties: Record<string, Property>): Check {
  const all = Object.values(properties);
  const ids = all.flatMap((one) => [one.ids.flat(), one.lengthIds ?? []].flat().filter((id) => id !== null));
  const cases = Object.entries(properties).map(([name, property]) =>
    testCase(name, { core: property.core !== undefined, needs: property.needs }, (tester) =>
      assertKept(tester, property),
    ),
  );
  return check([...new Set(ids)], title, cases);
}
