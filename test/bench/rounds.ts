import type { Child } from "./child.ts";
import { type Measured, measure, median } from "./measure.ts";
import type { Load } from "./wrk.ts";

/** One server under the same load as the floor. Ratios are to the floor, of the same round. */
export interface Comparison {
  floor: Measured;
  server: Measured;
  /** Requests a second, of the floor's: the more the better. */
  rate: number;
  /** CPU of the floor for a request, of the server's: the more the better. */
  cpu: number;
}

/**
 * Puts the same load on the floor and on a server, in turns, so that whatever else the machine does meets both.
 *
 * @returns the round in the middle, by rate, by CPU and by p99 each
 */
export async function compare(floor: Child, server: Child, load: Load, rounds: number): Promise<Comparison> {
  const all: Comparison[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofFloor = await measure(floor, load);
    const ofServer = await measure(server, load);
    all.push({
      floor: ofFloor,
      server: ofServer,
      rate: ofServer.rate / ofFloor.rate,
      cpu: ofFloor.cpu / ofServer.cpu,
    });
  }
  const rate = median(all.map((round) => round.rate));
  const middle = all.find((round) => round.rate === rate) as Comparison;
  const inTheMiddle = (whose: "floor" | "server"): Measured => ({
    ...middle[whose],
    p99: median(all.map((round) => round[whose].p99)),
  });
  return {
    floor: inTheMiddle("floor"),
    server: inTheMiddle("server"),
    rate,
    cpu: median(all.map((round) => round.cpu)),
  };
}
