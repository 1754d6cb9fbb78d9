// What a request carries comes back changed.

import { isObject } from "../../lib/objects.ts";
import { isMessageLookup, isScheduled, isSend, stateful } from "./email.ts";
import {
  cutBytes,
  decoded,
  escapeHtml,
  inEntries,
  inList,
  inText,
  inValues,
  isAboutContact,
  mapMemberships,
  onText,
  pathOf,
  showsMembership,
  showsMessage,
  takesContact,
  takesMessage,
  timeOf,
} from "./fault-support.ts";
import { type Mutant, remembers, takes } from "./mutant.ts";
import { emailOf, isContactLookup, isSuccess, isUpsert, objectOf, textOf } from "./newsletter.ts";
import { withFields } from "./requests.ts";

const field = (change: (value: unknown) => unknown) => inValues("fields", change);
const onNumber = (change: (value: number) => number) => (value: unknown) =>
  typeof value === "number" ? change(value) : value;
const onDate = (change: (date: string) => string | null) => (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? change(value) : value;
const dayAfter = (date: string, days: number): string => {
  const time = Date.parse(`${date}T00:00:00Z`) + days * 86_400_000;
  return Number.isNaN(time) ? date : new Date(time).toISOString().slice(-24).slice(0, 10);
};

/** Reads the time of a scheduled send or a rescheduling in another way: undefined if it is read correctly. */
const readsTime = (title: string, read: (text: string) => string | undefined): Mutant =>
  takes("SCHED-4", title, (request) => {
    const scheduled = objectOf(request.body).scheduled_at;
    if (!isScheduled(request) && request.method !== "PATCH") return request;
    const time = typeof scheduled === "string" ? read(scheduled) : undefined;
    return time === undefined ? request : withFields(request, { scheduled_at: time });
  });
const shifted = (text: string, milliseconds: number): string | undefined => {
  const time = timeOf(text);
  return Number.isNaN(time) ? undefined : new Date(time + milliseconds).toISOString();
};

/** Finds the contact of a path under another email address. */
const readsPath = (title: string, read: (part: string) => string | undefined): Mutant =>
  takes("GEN-13", title, (request) => {
    if (!isAboutContact(request)) return request;
    const parts = pathOf(request).split("/");
    const at = parts.indexOf("contacts") + 1;
    const other = read(parts[at] ?? "");
    if (other === undefined) return request;
    return { ...request, path: parts.with(at, other).join("/") };
  });

export const fidelityMutants: Mutant[] = [
  // Source: VedaWebProject/Tekst#1067, zotero/zotero#542 (NFC on every write)
  takesMessage(
    "LOOK-6",
    "a tag value is normalized to NFC",
    inValues(
      "tags",
      onText((text) => text.normalize("NFC")),
    ),
  ),
  // Source: sindresorhus/filenamify#40, hasgeek/funnel#1544 (compatibility normalization)
  takesContact(
    "MEMB-6",
    "a last name is normalized to NFKC: ligatures and full-width letters become others",
    inText("last_name", (name) => name.normalize("NFKC")),
  ),
  // Source: TryGhost/Ghost#29463 (a key `__proto__` stores nothing, a key `constructor` reads as inherited)
  showsMessage(
    "LOOK-6",
    "a tag named __proto__ is lost",
    inEntries("tags", (tags) => tags.filter(([name]) => name !== "__proto__")),
  ),
  // Source: TryGhost/Ghost#29463, GEOLYTIX/xyz#2876
  showsMessage(
    "LOOK-6",
    "tags with the names of inherited properties, such as constructor and toString, are lost",
    inEntries("tags", (tags) => tags.filter(([name]) => !(name in {}))),
  ),
  // Source: from experience (Laravel's ConvertEmptyStringsToNull drops empty values)
  takesMessage(
    "LOOK-6",
    "a tag with an empty value is dropped",
    inEntries("tags", (tags) => tags.filter(([, value]) => value !== "")),
  ),
  // Source: pjstevns/dbmail#10 (texts beyond 255 bytes are cut; 128 characters of two bytes have 256)
  takesMessage(
    "SEND-23",
    "a tag value keeps 255 bytes: the last of 128 two-byte characters is lost",
    inValues(
      "tags",
      onText((text) => cutBytes(text, 255)),
    ),
  ),
  // Source: from experience (property names are lower-cased by a case-insensitive map)
  takesMessage(
    "LOOK-6",
    "tag names that only differ in case become one",
    inEntries("tags", (tags) => [...new Map(tags.map((tag) => [tag[0].toLowerCase(), tag])).values()]),
  ),
  // Source: mozilla/fxa#4420 (a maximum of 998 for the header line instead of the text)
  takesMessage(
    "SEND-9",
    "a subject is cut after 998 bytes",
    inText("subject", (text) => ([...text].length <= 998 ? cutBytes(text, 998) : text)),
  ),
  // Source: productdevbook/unemail#121, muratgozel/MIMEText#53 (encoded words of a subject)
  {
    ...takes(
      "SEND-8",
      "a subject that is folded between encoded words arrives with a blank at each fold",
      (request) => request,
    ),
    deliver: (mime) =>
      mime.replace(/^Subject:.*(?:\r\n[ \t].*)*/im, (header) =>
        header.replace(/\?=(\r\n[ \t]+|[ \t]+)(?==\?)/g, "?=$1=?UTF-8?Q?_?=$1"),
      ),
  },
  // Source: spatie/mailcoach-sdk-php#12, osmandapp/web#910
  readsPath("a plus sign in the email address of a path is read as a space", (part) =>
    /%2b/i.test(part) ? part.replace(/%2b/gi, "%20") : undefined,
  ),
  // Source: from experience (a proxy and the framework both decode)
  readsPath("the email address of a path is decoded twice", (part) => {
    const twice = decoded(decoded(part));
    return twice === decoded(part) ? undefined : encodeURIComponent(twice);
  }),
  // Source: from experience (Apache's AllowEncodedSlashes, nginx with a path in proxy_pass)
  takes(
    "GEN-13",
    "a contact whose email address has a slash is looked up by what comes after it",
    (request) => {
      const email = isContactLookup(request) ? emailOf(request) : "";
      if (!email.includes("/")) return request;
      const last = email.slice(email.lastIndexOf("/") + 1);
      return { ...request, path: `/api/v1/newsletter/contacts/${encodeURIComponent(last)}` };
    },
  ),
  // Source: usnistgov/ACVP#921 (an encoded apostrophe in a URL)
  readsPath("an apostrophe in the email address of a path is doubled, as for SQL", (part) =>
    /'|%27/.test(part) ? part.replaceAll("'", "''").replaceAll("%27", "%27%27") : undefined,
  ),
  // Source: from experience (lower case in the locale of a Turkish server)
  stateful("MEMB-2", "a capital I in an email address becomes a dotless one", () => {
    const written = new Map<string, string>();
    return async (request, next) => {
      const email = textOf(objectOf(request.body).email);
      if (isUpsert(request) && /I/.test(email))
        written.set(email.toLowerCase(), email.replaceAll("I", "ı").toLowerCase());
      return mapMemberships(await next(request), request, (membership) => ({
        ...membership,
        email: written.get(textOf(membership.email)) ?? membership.email,
      }));
    };
  }),
  // Source: from experience (a limit in UTF-16 code units on the way to the store)
  takesContact(
    "CONT-8",
    "a first name of more than 60 characters of four bytes is cut after 120 code units",
    inText("first_name", (name) => ([...name].length <= 120 ? name.slice(0, 120).toWellFormed() : name)),
  ),
  // Source: from experience (ucwords on names: McDonald, van der Berg)
  showsMembership(
    "MEMB-6",
    "a last name begins each word with a capital and continues in lower case",
    inText("last_name", (name) =>
      name.replace(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
    ),
  ),
  // Source: json-parser/json-parser#18 (integers beyond 32 bits)
  showsMembership(
    "MEMB-7",
    "a number in a custom field is limited to 32 bits",
    field(onNumber((value) => (Math.abs(value) > 2_147_483_647 ? Math.sign(value) * 2_147_483_647 : value))),
  ),
  // Source: nlohmann/json#777, gildas-lormeau/JSONVue#11 (numbers are printed with 15 digits)
  showsMembership(
    "MEMB-7",
    "a number in a custom field has 15 significant digits",
    field(onNumber((value) => Number(value.toPrecision(15)))),
  ),
  // Source: from experience (a DECIMAL column with eight places)
  showsMembership(
    "MEMB-7",
    "the ninth decimal of a number in a custom field is lost",
    field(onNumber((value) => (Math.abs(value) < 1e6 ? Number(value.toFixed(8)) : value))),
  ),
  // Source: Mailtrain-org/mailtrain#368, tutao/tutanota#249
  takesContact(
    "LIST-9",
    "a date before 1970 is stored as the day before",
    field(onDate((date) => (date < "1970" ? dayAfter(date, -1) : date))),
  ),
  // Source: from experience (midnight in a time zone with summer time, read back in UTC)
  showsMembership(
    "LIST-9",
    "a date from May to September comes back as the day before",
    field(onDate((date) => (/-0[5-9]-/.test(date) ? dayAfter(date, -1) : date))),
  ),
  // Source: from experience (the day of 25 hours at the end of summer time)
  takesContact(
    "LIST-9",
    "the last day of October is stored as the day after",
    field(onDate((date) => (date.endsWith("-10-31") ? dayAfter(date, 1) : date))),
  ),
  // Source: from experience (a table of the days of months)
  showsMembership(
    "LIST-9",
    "the last day of November comes back as the day before",
    field(onDate((date) => (date.endsWith("-11-30") ? dayAfter(date, -1) : date))),
  ),
  // Source: from experience (9999-12-31 stands for no date)
  showsMembership(
    "LIST-9",
    "the last day of the year 9999 comes back as null",
    field(onDate((date) => (date === "9999-12-31" ? null : date))),
  ),
  // Source: from experience (a URL is stored as its parser writes it)
  takesContact(
    "MEMB-7",
    "a URL in a custom field is written as its parser writes it",
    field(onText((text) => (/^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : text))),
  ),
  // Source: from experience (tags as a comma-separated text)
  takesContact(
    "CONT-16",
    "a contact tag with a comma becomes two",
    inList("tags", (tags) =>
      tags.length <= 20
        ? tags.flatMap((tag) => (typeof tag === "string" ? tag.split(",") : tag)).slice(0, 20)
        : tags,
    ),
  ),
  // Source: from experience (in utf8mb4_general_ci all characters beyond the BMP are equal)
  showsMembership(
    "CONT-16",
    "of contact tags that only differ in characters beyond the BMP, the first is kept",
    inList("tags", (tags) => {
      const folded = tags.map((tag) => textOf(tag).replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd"));
      return tags.filter((_, index) => {
        const text = folded[index] ?? "";
        return !text.includes("\ufffd") || folded.indexOf(text) === index;
      });
    }),
  ),
  // Source: owncloud/core#14391 (offsets such as -03:30), from experience
  readsTime("the minutes of an offset west of Greenwich are read with the wrong sign", (text) => {
    const minutes = /-\d\d:(\d\d)$/.exec(text)?.[1];
    return minutes === undefined || minutes === "00" ? undefined : shifted(text, Number(minutes) * -120_000);
  }),
  // Source: dateutil/dateutil#786, bitwalker/timex#61 (fractions of other lengths)
  readsTime("a fraction of a second with more than three digits is read as milliseconds", (text) => {
    const digits = /\.(\d{4,9})(?=[Zz+-])/.exec(text)?.[1];
    return digits === undefined
      ? undefined
      : shifted(text.replace(`.${digits}`, ""), Math.min(Number(digits), 86_000_000));
  }),
  // Source: from experience (a template engine renders its result again)
  takesMessage("SEND-16", "a placeholder in the value of a template variable is filled in too", (message) => {
    const fill = (text: string): string =>
      text.replace(/\{\{\s*([\w.:-]+)\s*\}\}/g, (_, name) => textOf(objectOf(message.variables)[name]));
    return inValues("variables", onText(fill))(message);
  }),
  // Source: sendgrid/sendgrid-nodejs#1191, firebase/extensions#69
  remembers("SEND-16", "the value of a template variable is escaped in the subject as in HTML", () => {
    const filled = new Set<unknown>();
    return (response, request) => {
      if (isSend(request) && isSuccess(response) && "template_id" in objectOf(request.body))
        filled.add(objectOf(response.body).id);
      if (!isMessageLookup(request) || !isObject(response.body) || !filled.has(response.body.id))
        return response;
      return { ...response, body: { ...response.body, subject: escapeHtml(textOf(response.body.subject)) } };
    };
  }),
];
