import type { Directory } from "../domain/directory.ts";
import type { Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import type { Clock } from "../time/clock.ts";
import type { Failures } from "./failures.ts";

/** Shows a message as it goes over the wire. */
export interface Composer {
  eml(message: Message): Promise<Uint8Array>;
}

/** What control calls and pages work on. */
export interface GatewayServices {
  /** Asked for at each call: a reset makes a new one. */
  directory(): Directory;
  store: Store;
  clock: Clock;
  outbox: Composer;
  failures: Failures;
  /** Puts everything back to where the seed starts. */
  reset(): Promise<void>;
  /** Whether the sandbox listens beyond loopback. */
  exposed: boolean;
  /** Whether it may be driven from beyond loopback too. */
  control: boolean;
}
