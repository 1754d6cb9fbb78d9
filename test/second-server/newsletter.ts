import { isAddress } from "./message-rules.ts";
import {
  type ApiResponse,
  ErrorResponse,
  Faults,
  isRecord,
  once,
  type RequestContext,
  type Route,
  type Routes,
  recordIn,
} from "./request.ts";
import { newPerson, type Person } from "./world.ts";

const lists = ({ own }: RequestContext): ApiResponse => ({
  status: 203,
  body: { lists: own.account.lists.map(({ id, name, asks }) => ({ double_opt_in: asks, name, id })) },
});

const fields = ({ own }: RequestContext): ApiResponse => ({
  status: 203,
  body: {
    fields: own.account.fields.map(({ key, label, type, fallback }) => ({ fallback, type, label, key })),
  },
});

function add(context: RequestContext): ApiResponse {
  const given = recordIn(context.text);
  const faults = new Faults();
  contactFaults(context, given, faults);
  faults.end();
  return once(context, () => {
    const list = context.own.account.lists.find(({ id }) => id === given.list_id);
    if (list === undefined) throw new ErrorResponse(404, "not_found", "No list of yours has this number.");
    const address = String(given.email).toLowerCase();
    const person = context.own.people.get(address) ?? newPerson(address);
    context.own.people.set(address, person);
    update(person, given);
    if (person.memberships.has(list.id)) return { status: 200, body: membership(person, list.id) };
    const now = context.world.now();
    const state = person.blocked ? "unsubscribed" : list.asks ? "pending" : "subscribed";
    person.memberships.set(list.id, {
      state,
      joined: state === "subscribed" ? now : null,
      left: state === "unsubscribed" ? now : null,
    });
    return { status: 201, body: membership(person, list.id) };
  });
}

function update(person: Person, given: Record<string, unknown>): void {
  if (given.first_name !== undefined) person.firstName = String(given.first_name);
  if (given.last_name !== undefined) person.lastName = String(given.last_name);
  for (const [name, value] of Object.entries((given.fields ?? {}) as object)) {
    if (value === null) person.values.delete(name);
    else person.values.set(name, value);
  }
  for (const label of (given.tags ?? []) as string[]) person.labels.add(label);
}

function contactFaults({ own }: RequestContext, given: Record<string, unknown>, faults: Faults): void {
  const { email, list_id, fields: values, tags, consent } = given;
  faults.unless(isAddress(email), "email", "has to be an address");
  faults.unless(Number.isInteger(list_id), "list_id", "has to be the number of a list");
  for (const name of ["first_name", "last_name"]) {
    const isName = given[name] === undefined || isText(given[name], 120);
    faults.unless(isName, name, "has to be a text of at most 120 characters");
  }
  if (values !== undefined && faults.unless(isRecord(values), "fields", "has to be an object")) {
    const pairs = Object.entries(values as object);
    faults.unless(pairs.length <= 20, "fields", "has more than 20 values");
    for (const [name, value] of pairs) {
      const type = own.account.fields.find(({ key }) => key === name)?.type;
      faults.unless(type !== undefined, `fields.${name}`, "is no field of yours");
      if (type !== undefined) faults.unless(fits[type](value), `fields.${name}`, `is no ${type}`);
    }
  }
  if (tags !== undefined) {
    const isList = Array.isArray(tags) && tags.length <= 20 && tags.every((tag) => isText(tag, 60));
    faults.unless(isList, "tags", "has to be a list of at most 20 texts of at most 60 characters");
  }
  if (consent === undefined || !faults.unless(isRecord(consent), "consent", "has to be an object")) return;
  for (const name of ["detail", "ip", "user_agent"]) {
    const value = (consent as Record<string, unknown>)[name];
    faults.unless(value === undefined || typeof value === "string", `consent.${name}`, "has to be a text");
  }
}

const isText = (value: unknown, longest: number): boolean =>
  typeof value === "string" && [...value].length <= longest;

const fits: Record<"text" | "number" | "date" | "url", (value: unknown) => boolean> = {
  text: (value) => value === null || typeof value === "string",
  number: (value) =>
    value === null || (typeof value === "string" ? /^-?\d+(\.\d+)?$/.test(value) : typeof value === "number"),
  date: (value) =>
    value === null ||
    (typeof value === "string" &&
      /^\d{4}-\d\d-\d\d$/.test(value) &&
      new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8))),
  url: (value) =>
    value === null || (typeof value === "string" && /^https?:\/\/./.test(value) && URL.canParse(value)),
};

const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function membership(person: Person, list: number): Record<string, unknown> {
  const { state = "subscribed", joined = null, left = null } = person.memberships.get(list) ?? {};
  return {
    tags: [...person.labels],
    fields: Object.fromEntries(person.values),
    unsubscribed_at: time(left),
    subscribed_at: time(joined),
    last_name: person.lastName,
    first_name: person.firstName,
    status_description: `This contact is ${state}.`,
    status: state,
    email: person.address,
    list_id: list,
  };
}

const recordOf = (person: Person): Record<string, unknown> => ({
  lists: [...person.memberships.keys()].map((list) => membership(person, list)),
  marketing_blocked: person.blocked,
  email: person.address,
});

function found({ own, parameter }: RequestContext): Person {
  const person = own.people.get(parameter.toLowerCase());
  if (person === undefined) throw new ErrorResponse(404, "not_found", "Nobody here has this address.");
  return person;
}

const read = (context: RequestContext): ApiResponse => ({
  status: 200,
  body: recordOf(found(context)),
});

function unsubscribe(context: RequestContext): ApiResponse {
  const person = found(context);
  const { list_id, reason } = context.text === "" ? {} : recordIn(context.text);
  const faults = new Faults();
  const isNumber = list_id === undefined || Number.isInteger(list_id);
  faults.unless(isNumber, "list_id", "has to be the number of a list");
  faults.unless(reason === undefined || typeof reason === "string", "reason", "has to be a text");
  faults.end();
  if (list_id !== undefined && !context.own.account.lists.some(({ id }) => id === list_id))
    throw new ErrorResponse(404, "not_found", "No list of yours has this number.");
  if (list_id === undefined) person.blocked = true;
  for (const [list, membership] of person.memberships) {
    if (list_id !== undefined && list !== list_id) continue;
    if (membership.state !== "unsubscribed") membership.left = context.world.now();
    membership.state = "unsubscribed";
  }
  return { status: 202, body: recordOf(person) };
}

const news = (ability: string, handle: Route["handle"]): Route => ({
  ability: `newsletter:${ability}`,
  product: "news",
  handle,
});

export const newsletterRoutes: Routes = [
  [/^\/newsletter\/lists$/, { GET: news("read", lists) }],
  [/^\/newsletter\/fields$/, { GET: news("read", fields) }],
  [/^\/newsletter\/contacts$/, { POST: news("manage", add) }],
  [/^\/newsletter\/contacts\/([^/]+)$/, { GET: news("read", read) }],
  [/^\/newsletter\/contacts\/([^/]+)\/unsubscribe$/, { POST: news("manage", unsubscribe) }],
];
