import type { World } from "./world.ts";

/** What the people who run the server can do to it. */
export interface Office {
  world: World;
  /** Lets so many milliseconds pass. */
  pass(milliseconds: number): void;
  startOver(): void;
  /** How the next calls are to go wrong. */
  breakNext(how: string, calls: number): void;
}

/** Does what a call below /admin asks for; false when there is no such thing. */
export function administer(office: Office, path: string, given: Record<string, unknown>): boolean {
  const { world } = office;
  const everyone = [...world.holdings.values()];
  switch (path) {
    case "/admin/time":
      office.pass(Number(given.seconds) * 1000);
      return true;
    case "/admin/start-over":
      office.startOver();
      return true;
    case "/admin/break":
      office.breakNext(String(given.how), Number(given.calls));
      return true;
    case "/admin/stop-sending":
      for (const { stopped } of everyone) stopped.add(String(given.address).toLowerCase());
      return true;
    case "/admin/follow-confirmation": {
      const places = everyone.flatMap(({ people }) => {
        const place = people.get(String(given.address).toLowerCase())?.places.get(Number(given.list));
        return place?.state === "pending" ? [place] : [];
      });
      for (const place of places) Object.assign(place, { state: "subscribed", joined: world.now() });
      return places.length > 0;
    }
    default:
      return false;
  }
}
