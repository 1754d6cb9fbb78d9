/** A piece of work under a name of its own, and what is known of it. */
export interface Work {
  key: string;
  path: "/api/v1/emails" | "/api/v1/emails/batch";
  body: string;
  /** The ids of the response; undefined without one. */
  ids?: string[];
  /** Whether it was rejected, because its scheduled time had passed. */
  rejected?: true;
  /** Whether the service confirmed that it is canceled. */
  canceled?: true;
}

/** Gives numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How far ahead messages are scheduled, in milliseconds. */
export interface Ahead {
  least: number;
  most: number;
}

/**
 * Makes a piece of work: a message, a scheduled one or a batch. The tag `work` names it in everything that comes of it.
 *
 * @param now the time by the clock of the server
 */
export function makeWork(number: number, random: () => number, now: number, { least, most }: Ahead): Work {
  const key = `work-${number}`;
  const message = (place: number) => ({
    from: "orders@bakery.example",
    to: [random() < 0.1 ? "bounce@simulator.example" : `reader-${number}@readers.example`],
    ...(random() < 0.3 && { cc: ["copy@readers.example"] }),
    subject: `Order ${number}`,
    text: "On its way.",
    tags: { work: `${key}.${place}` },
  });
  const kind = random();
  if (kind < 0.1) {
    const emails = [0, 1, 2].map(message);
    return { key, path: "/api/v1/emails/batch", body: JSON.stringify({ emails }) };
  }
  const soon = new Date(now + least + Math.floor(random() * (most - least))).toISOString();
  const body = { ...message(0), ...(kind < 0.5 && { scheduled_at: soon }) };
  return { key, path: "/api/v1/emails", body: JSON.stringify(body) };
}
