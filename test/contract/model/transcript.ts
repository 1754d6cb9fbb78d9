import { isDeepStrictEqual } from "node:util";
import { demoSettings } from "../../mutants/demo.ts";
import type { Interceptor, Mutant, MutantRequest, MutantResponse } from "../../mutants/mutant.ts";

/** A request to the correct server, and its response. The bodies are JSON, because a mutant may change objects. */
export interface RecordedExchange {
  request: Omit<MutantRequest, "body">;
  sent: string | undefined;
  response: Omit<MutantResponse, "body">;
  received: string | undefined;
  /** The server's time. */
  now: number;
}

/** Adds each request and its response to a list. */
export const recorder =
  (list: () => RecordedExchange[]): Mutant["intercept"] =>
  ({ now }) =>
  async ({ body, ...request }, next) => {
    const [at, sent] = [now(), JSON.stringify(body)];
    const result = await next({ body, ...request });
    const { body: json, ...response } = result;
    list().push({ request, sent, response, received: JSON.stringify(json), now: at });
    return result;
  };

/** A mutant did something that a transcript has no response for. */
class Different extends Error {}

/** Whether a mutant does anything else than the correct server with the requests of a sequence: otherwise it passes. */
export async function isActive(
  { intercept }: Mutant,
  transcript: readonly RecordedExchange[],
): Promise<boolean> {
  let time = 0;
  const { keys } = demoSettings();
  const different = (): never => {
    throw new Different();
  };
  const interceptor = intercept({
    bearer: (role) => `Bearer ${keys[role]}`,
    now: () => time,
    control: different,
  });
  try {
    for (const recorded of transcript) {
      time = recorded.now;
      if (!(await isSame(interceptor, recorded, different))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof Different) return true;
    throw error;
  }
}

/** Whether a request reaches the server once and unchanged, and its response comes back unchanged. */
async function isSame(
  intercept: Interceptor,
  { request, sent, response, received }: RecordedExchange,
  different: () => never,
): Promise<boolean> {
  let count = 0;
  const found = await intercept({ ...copied(request), body: parsed(sent) }, async (passed) => {
    count += 1;
    if (count > 1 || !isDeepStrictEqual(passed, { ...request, body: parsed(sent) })) different();
    return { ...copied(response), body: parsed(received) };
  });
  return count === 1 && isDeepStrictEqual(found, { ...response, body: parsed(received) });
}

const copied = <Message extends { headers: Record<string, string> }>(message: Message): Message => ({
  ...message,
  headers: { ...message.headers },
});
const parsed = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));
