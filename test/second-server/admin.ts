import type { World } from "./world.ts";

/** What the control endpoints below /admin work on. */
export interface Control {
  world: World;
  /** Advances the clock, in milliseconds. */
  pass(milliseconds: number): void;
  startOver(): void;
  /** Makes the next requests fail. */
  failNext(failure: string, requests: number): void;
}

/** Handles a request below /admin. @returns false for an unknown path or a missing confirmation */
export function administer(control: Control, path: string, given: Record<string, unknown>): boolean {
  const { world } = control;
  const everyone = [...world.accountStates.values()];
  switch (path) {
    case "/admin/time":
      control.pass(Number(given.seconds) * 1000);
      return true;
    case "/admin/start-over":
      control.startOver();
      return true;
    case "/admin/break":
      control.failNext(String(given.failure), Number(given.requests));
      return true;
    case "/admin/stop-sending":
      for (const { stopped } of everyone) stopped.add(String(given.address).toLowerCase());
      return true;
    case "/admin/follow-confirmation": {
      const memberships = everyone.flatMap(({ people }) => {
        const membership = people
          .get(String(given.address).toLowerCase())
          ?.memberships.get(Number(given.list));
        return membership?.state === "pending" ? [membership] : [];
      });
      for (const membership of memberships)
        Object.assign(membership, { state: "subscribed", joined: world.now() });
      return memberships.length > 0;
    }
    default:
      return false;
  }
}
