import { Unreachable } from "../engine/http.ts";
import { largestMail, type Mailbox } from "../engine/mailbox.ts";

const recipientFields = ["To", "Cc", "Bcc"] as const;

/** The parts of a list of messages in the API of Mailpit, the newest first. */
interface MessageList {
  total: number;
  messages: ({ ID: string; Size?: number } & Record<
    (typeof recipientFields)[number],
    { Address: string }[] | null
  >)[];
}

/** In milliseconds. */
const deadline = 30_000;
/** Messages to one recipient. */
const most = 10;

/** A mailbox with the HTTP API of Mailpit, which the server under test sends its mail to. */
export function openMailpit(url: string): Mailbox {
  const base = url.replace(/\/+$/, "");
  const get = (path: string): Promise<Response> => getFrom(base, path);
  const list = async (path: string) => listIn(await (await get(path)).text());
  return {
    // It adds the recipients of the envelope, by which a search finds the messages to them.
    addsBcc: true,
    messagesTo: async (recipient) => {
      const query = new URLSearchParams({ query: `addressed:"${recipient}"`, limit: String(most) });
      const { messages } = await list(`/api/v1/search?${query}`);
      const own = messages.filter((message) =>
        recipientFields.some((field) => message[field]?.some(({ Address }) => isSame(Address, recipient))),
      );
      const tooLarge = own.find(({ Size = 0 }) => Size > largestMail);
      if (tooLarge)
        throw new Unreachable(`A mail has ${tooLarge.Size} bytes; at most ${largestMail} are read.`);
      const raw = own.reverse().map(({ ID }) => get(`/api/v1/message/${encodeURIComponent(ID)}/raw`));
      return Promise.all(raw.map(async (response) => new Uint8Array(await (await response).arrayBuffer())));
    },
    isEmpty: async () => (await list("/api/v1/messages?limit=1")).total === 0,
    close: async () => {},
  };
}

/** @throws Unreachable if something else than Mailpit responds */
function listIn(text: string): MessageList {
  try {
    const list = JSON.parse(text) as MessageList;
    if (Array.isArray(list.messages)) return list;
  } catch {
    // As with JSON of another form.
  }
  throw new Unreachable("The mailbox returned no list of messages: is mailbox.mailpit the URL of Mailpit?");
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

async function getFrom(base: string, path: string): Promise<Response> {
  const what = `GET ${path.split("?")[0]} of the mailbox`;
  const response = await fetch(base + path, { signal: AbortSignal.timeout(deadline) }).catch(
    (error: unknown) => {
      throw new Unreachable(`No response to ${what}: ${String((error as Error).cause ?? error)}`);
    },
  );
  if (!response.ok) throw new Unreachable(`${what} returned ${response.status}.`);
  return response;
}
