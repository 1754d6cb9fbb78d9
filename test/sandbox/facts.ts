/** Relations between the fields of a response that a schema cannot express. */

interface Message {
  id: string;
  status: string;
  scheduled_at: string | null;
  sent_at: string | null;
  delivered_at: string | null;
  bounced_at: string | null;
  complained_at: string | null;
  bounce: object | null;
  events: { type: string; at: string; detail: string | null }[];
}

interface Membership {
  list_id: number;
  email: string;
  status: string;
  subscribed_at: string | null;
  unsubscribed_at: string | null;
}

interface Contact {
  email: string;
  marketing_blocked: boolean;
  lists: Membership[];
}

/** Facts that do not hold, in words. */
export function factFaults(operation: string, body: unknown): string[] {
  const facts = tables[operation]?.(body) ?? [];
  return facts.filter(([holds]) => !holds).map(([, fault]) => fault);
}

type Fact = [holds: boolean, fault: string];

const tables: Record<string, (body: unknown) => Fact[]> = {
  sendEmail: (body) =>
    sendFacts(body as { id: string; to?: string[]; suppressed: string[]; scheduled_at?: string }),
  getEmail: (body) => messageFacts(body as Message),
  upsertContact: (body) => membershipFacts(body as Membership),
  getContact: (body) => contactFacts(body as Contact),
  unsubscribeContact: (body) => contactFacts(body as Contact),
};

const sendFacts = (body: {
  id: string;
  to?: string[];
  suppressed: string[];
  scheduled_at?: string;
}): Fact[] => [
  [
    body.id.startsWith("sched_") === (body.scheduled_at !== undefined),
    "the id does not tell whether it is scheduled",
  ],
  [
    !body.suppressed.some((address) => body.to?.includes(address)),
    "an address is both written to and left out",
  ],
];

function messageFacts(message: Message): Fact[] {
  const { status, events } = message;
  const waiting = status === "scheduled" || status === "canceled";
  const order = [message.sent_at, message.delivered_at, message.complained_at].filter((at) => at !== null);
  const count = (type: string) => events.filter((event) => event.type === type).length;
  return [
    [waiting === (message.sent_at === null), "sent_at does not fit the status"],
    [!waiting || message.scheduled_at !== null, "waits without a time"],
    [
      ["delivered", "complained"].includes(status) === (message.delivered_at !== null),
      "delivered_at does not fit",
    ],
    [(status === "bounced") === (message.bounced_at !== null), "bounced_at does not fit"],
    [
      (status === "bounced") === (message.bounce !== null),
      "bounce stands on bounced messages, and only there",
    ],
    [(status === "complained") === (message.complained_at !== null), "complained_at does not fit"],
    [order.every((at, index) => index === 0 || at >= (order[index - 1] ?? "")), "times run backwards"],
    [count("sent") === (waiting ? 0 : 1), "sent events"],
    [count("bounced") === (status === "bounced" ? 1 : 0), "bounced events"],
    [events.every(({ type, detail }) => type !== "sent" || detail === null), "a sent event has a detail"],
    [
      events.every(({ type, detail }) => type !== "bounced" || detail !== null),
      "a bounced event has no detail",
    ],
    [message.scheduled_at === null || message.id.startsWith("sched_"), "a scheduled message has another id"],
  ];
}

const membershipFacts = (membership: Membership): Fact[] => [
  [membership.email === membership.email.toLowerCase(), "the address is not in lower case"],
  [membership.status !== "subscribed" || membership.subscribed_at !== null, "subscribed at no time"],
  [membership.status !== "pending" || membership.subscribed_at === null, "subscribed before confirming"],
  [
    (membership.status === "unsubscribed") === (membership.unsubscribed_at !== null),
    "unsubscribed_at does not fit",
  ],
];

const contactFacts = (contact: Contact): Fact[] => [
  [contact.email === contact.email.toLowerCase(), "the address is not in lower case"],
  [contact.lists.every(({ email }) => email === contact.email), "a membership of another address"],
  [new Set(contact.lists.map((list) => list.list_id)).size === contact.lists.length, "twice on one list"],
  [
    !contact.marketing_blocked ||
      contact.lists.every(({ status }) => !["subscribed", "pending"].includes(status)),
    "blocked, and written to",
  ],
  ...contact.lists.flatMap(membershipFacts),
];
