import type { Reply } from "../../contract/client-suite/driver/protocol.ts";
import { type ClientMutant, violating, withParameter } from "./client-mutant.ts";

/** Another encoding of an id or an email address in the path. */
const encodes = (
  requirement: "GEN-8" | "GEN-9",
  title: string,
  encode: (value: string) => string,
): ClientMutant =>
  violating(requirement).sends(title, (_, context) =>
    withParameter(context, (value, name) =>
      (name === "email") === (requirement === "GEN-9") ? encode(value) : encodeURIComponent(value),
    ),
  );
const idAs = (title: string, encode: (id: string) => string): ClientMutant => encodes("GEN-8", title, encode);
const emailAs = (title: string, encode: (email: string) => string): ClientMutant =>
  encodes("GEN-9", title, encode);

const twice = (value: string): string => encodeURIComponent(encodeURIComponent(value));
const changed = (change: (value: string) => string) => (value: string) => encodeURIComponent(change(value));

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const latin1 = (value: string): string =>
  Array.from(Buffer.from(value, "latin1"), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** Ids that are rejected before anything is sent. */
const rejectsIds = (title: string, isRejected: (id: string) => boolean): ClientMutant =>
  violating("SEND-32").responds(title, ({ path }): Reply | undefined =>
    path?.id !== undefined && isRejected(path.id)
      ? { error: { kind: "not sent", message: `${path.id} is not the id of a message` } }
      : undefined,
  );

/** Ids that are changed before the caller gets them. */
const returnsId = (title: string, change: (id: string) => string): ClientMutant =>
  violating("SEND-32").returns(title, (result, { operation }) => {
    const { id } = result as { id?: unknown };
    return operation === "sendEmail" && typeof id === "string"
      ? { ...(result as object), id: change(id) }
      : result;
  });

/** Ids and email addresses in paths. */
export const pathMutants = [
  idAs("does not encode ids", (id) => id),
  idAs("encodes ids twice", twice),
  idAs("encodes ids as a whole URL, which leaves / ? and #", encodeURI),
  idAs("decodes ids first", changed(decoded)),
  idAs(
    "composes the letters of ids",
    changed((id) => id.normalize("NFC")),
  ),
  idAs(
    "lower-cases ids",
    changed((id) => id.toLowerCase()),
  ),
  idAs(
    "upper-cases ids",
    changed((id) => id.toUpperCase()),
  ),
  idAs(
    "trims ids",
    changed((id) => id.trim()),
  ),
  idAs(
    "cuts ids at a slash",
    changed((id) => id.replace(/\/.*/, "")),
  ),
  idAs(
    "cuts ids after 40 characters",
    changed((id) => id.slice(0, 40)),
  ),
  idAs(
    "drops the prefix of ids",
    changed((id) => id.replace(/^[a-z]+_/, "")),
  ),
  idAs(
    "removes = at the end of ids",
    changed((id) => id.replace(/=+$/, "")),
  ),
  idAs(
    "replaces characters of ids that are not letters, digits or _",
    changed((id) => id.replaceAll(/\W/g, "_")),
  ),
  idAs(
    "sends ids that are numbers as numbers",
    changed((id) => (Number.isNaN(+id) ? id : `${+id}`)),
  ),
  idAs("encodes spaces in ids as +", (id) => encodeURIComponent(id).replaceAll("%20", "+")),

  emailAs("does not encode email addresses", (email) => email),
  emailAs("encodes @ only", (email) => email.replaceAll("@", "%40")),
  emailAs("encodes email addresses twice", twice),
  emailAs("encodes email addresses as a whole URL, which leaves / ? and #", encodeURI),
  emailAs("keeps what looks percent-encoded already", (email) =>
    encodeURIComponent(email).replaceAll(/%25([0-9A-F]{2})/gi, "%$1"),
  ),
  emailAs(
    "decodes + to a space",
    changed((email) => email.replaceAll("+", " ")),
  ),
  emailAs(
    "drops the part after +",
    changed((email) => email.replace(/\+[^@]*/, "")),
  ),
  emailAs(
    "lower-cases the local part",
    changed((email) => email.replace(/^[^@]+/, (local) => local.toLowerCase())),
  ),
  emailAs("encodes email addresses in Latin-1", latin1),
  emailAs("encodes email addresses in base64", (email) => btoa(unescape(encodeURIComponent(email)))),
  emailAs(
    "normalizes email addresses to NFD",
    changed((email) => email.normalize("NFD")),
  ),
  emailAs(
    "removes apostrophes from email addresses",
    changed((email) => email.replaceAll("'", "")),
  ),
  emailAs("leaves / in email addresses", (email) => encodeURIComponent(email).replaceAll("%2F", "/")),
  violating("GEN-9").sends("encodes email addresses for lookups only", (_, context) =>
    context.call().operation === "unsubscribeContact" ? withParameter(context, (email) => email) : undefined,
  ),

  rejectsIds("accepts only ids with a known prefix", (id) => !/^(msg|sched)_/.test(id)),
  rejectsIds("accepts only ids of up to 36 characters", (id) => id.length > 36),
  rejectsIds("accepts only ids of letters, digits, _ and -", (id) => !/^[\w-]+$/.test(id)),
  rejectsIds("accepts only UUIDs after the prefix", (id) => !/_[\da-f-]{32,36}$/i.test(id)),
  returnsId("returns ids without their prefix", (id) => id.replace(/^[a-z]+_/, "")),
  returnsId("returns ids in lower case", (id) => id.toLowerCase()),
];
