import type { Deadlines, Fixtures } from "../engine/settings.ts";
import { type Exchange, errorOf } from "../exchange.ts";
import type { ServerTime } from "./clock.ts";
import type { Knowledge } from "./knowledge.ts";
import type { Subject } from "./subjects.ts";
import type { Tally } from "./tally.ts";

/** What is known beside the traffic. */
export interface ObserverContext {
  knowledge: Knowledge;
  tally: Tally;
  fixtures: Fixtures;
  deadlines: Deadlines;
  /** Whether the traffic has all requests to the accounts in it, and nobody else changes what they have. */
  readonly isAllTraffic: boolean;
}

/** A request about known subjects, with its response, when nothing else was in progress about them. */
export interface Observation extends Subject {
  exchange: Exchange;
  body: Record<string, unknown>;
  time: ServerTime;
  /** The name of a subject about which another request was in progress. */
  crowded: ReadonlySet<string>;
}

export const typeOf = (exchange: Exchange): unknown => errorOf(exchange)?.type;

/** In milliseconds: how long what is known of data that others may change is relied on. */
const freshness = 60_000;

/** Whether nobody else can have changed something since a time, as far as a verdict may rely on it. */
export const isFresh = ({ isAllTraffic }: ObserverContext, { time }: Observation, at: number): boolean =>
  isAllTraffic || Math.abs(time.now - at) < freshness;
