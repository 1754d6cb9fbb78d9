// What a request carries comes back changed.

import {
  contactOf,
  cutBytes,
  decoded,
  escapeHtml,
  fault,
  isAboutContact,
  isContactLookup,
  isLookup,
  isObject,
  isScheduled,
  isSend,
  isSuccess,
  isUpsert,
  listOf,
  mapMemberships,
  mapValues,
  objectOf,
  onText,
  pathOf,
  showsMembership,
  showsMessage,
  takes,
  takesContact,
  takesMessage,
  textOf,
  timeOf,
  without,
} from "./fault-support.ts";
import type { Mutant } from "./mutant.ts";

const tags = (change: (value: unknown, name: string) => unknown) => (message: Record<string, unknown>) =>
  isObject(message.tags) ? { ...message, tags: mapValues(message.tags, change) } : message;
const field =
  (change: (value: unknown, key: string) => unknown) => (membership: Record<string, unknown>) => ({
    ...membership,
    // What is no object is left for the server to reject.
    ...(isObject(membership.fields) && { fields: mapValues(membership.fields, change) }),
  });
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
    return time === undefined
      ? request
      : { ...request, body: { ...objectOf(request.body), scheduled_at: time } };
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
  // Source: PHPMailer/PHPMailer#943, magento/magento2#38391 (a `?` for each emoji)
  takesMessage("LOOK-6", "a tag value has a question mark for each character beyond the BMP", (message) =>
    tags(onText((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, "?")))(message),
  ),
  // Source: phpList/phplist3#1000, mettle/sendportal#167 (utf8 instead of utf8mb4; without strict mode MySQL cuts the text)
  showsMessage(
    "LOOK-5",
    "a subject ends before its first character beyond the BMP if there is one",
    (record) => ({
      ...record,
      subject: textOf(record.subject).replace(/[\u{10000}-\u{10ffff}].*$/su, ""),
    }),
  ),
  // Source: VedaWebProject/Tekst#1067, zotero/zotero#542 (NFC on every write)
  takesMessage("LOOK-6", "a tag value is normalized to NFC", (message) =>
    tags(onText((text) => text.normalize("NFC")))(message),
  ),
  // Source: sindresorhus/filenamify#40, hasgeek/funnel#1544 (compatibility normalization)
  takesContact(
    "MEMB-6",
    "a last name is normalized to NFKC: ligatures and full-width letters become others",
    (contact) =>
      typeof contact.last_name === "string"
        ? { ...contact, last_name: contact.last_name.normalize("NFKC") }
        : contact,
  ),
  // Source: laravel/framework#56115 (emoji with a variation selector or joiner break the subject)
  showsMessage("LOOK-6", "a tag value loses joiners, variation selectors and direction marks", (record) =>
    tags(onText((text) => text.replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]|\ufe0f/g, "")))(record),
  ),
  // Source: TryGhost/Ghost#29463 (a key `__proto__` stores nothing, a key `constructor` reads as inherited)
  showsMessage("LOOK-6", "a tag named __proto__ is lost", (record) =>
    isObject(record.tags) ? { ...record, tags: without(record.tags, "__proto__") } : record,
  ),
  // Source: TryGhost/Ghost#29463, GEOLYTIX/xyz#2876
  showsMessage(
    "LOOK-6",
    "tags with the names of inherited properties, such as constructor and toString, are lost",
    (record) =>
      isObject(record.tags)
        ? { ...record, tags: without(record.tags, ...Object.keys(record.tags).filter((name) => name in {})) }
        : record,
  ),
  // Source: from experience (Laravel's ConvertEmptyStringsToNull drops empty values)
  takesMessage("LOOK-6", "a tag with an empty value is dropped", (message) =>
    isObject(message.tags)
      ? {
          ...message,
          tags: Object.fromEntries(Object.entries(message.tags).filter(([, value]) => value !== "")),
        }
      : message,
  ),
  // Source: from experience (Laravel's TrimStrings, Django's CharField strip)
  takesMessage("LOOK-6", "a tag value is trimmed", (message) => tags(onText((text) => text.trim()))(message)),
  // Source: from experience (YAML and form decoders read texts as numbers)
  takesMessage("LOOK-6", "a tag value that looks like a number loses its zeros", (message) =>
    tags(onText((text) => (/^[+-]?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text)))(message),
  ),
  // Source: pjstevns/dbmail#10 (texts beyond 255 bytes are cut; 128 characters of two bytes have 256)
  takesMessage(
    "SEND-23",
    "a tag value keeps 255 bytes: the last of 128 two-byte characters is lost",
    (message) => tags(onText((text) => cutBytes(text, 255)))(message),
  ),
  // Source: from experience (property names are lower-cased by a case-insensitive map)
  takesMessage("LOOK-6", "tag names that only differ in case become one", (message) => {
    const seen = new Map<string, [string, unknown]>();
    for (const [name, value] of Object.entries(objectOf(message.tags)))
      seen.set(name.toLowerCase(), [name, value]);
    return isObject(message.tags) ? { ...message, tags: Object.fromEntries(seen.values()) } : message;
  }),
  // Source: mozilla/fxa#4420 (a maximum of 998 for the header line instead of the text)
  takesMessage("SEND-9", "a subject is cut after 998 bytes", (message) =>
    typeof message.subject === "string" && [...message.subject].length <= 998
      ? { ...message, subject: cutBytes(message.subject, 998) }
      : message,
  ),
  // Source: sendgrid/sendgrid-nodejs#741, AI-Shipping-Labs/website#1748
  takesMessage("LOOK-5", "an ampersand or angle bracket in a subject is escaped as in HTML", (message) =>
    typeof message.subject === "string" ? { ...message, subject: escapeHtml(message.subject) } : message,
  ),
  // Source: sendgrid/sendgrid-python#602, supabase/auth#1361
  showsMessage("LOOK-5", "an apostrophe in a subject comes back as a reference", (record) => ({
    ...record,
    subject: textOf(record.subject).replaceAll("'", "&#x27;"),
  })),
  // Source: productdevbook/unemail#121, muratgozel/MIMEText#53 (encoded words of a subject)
  {
    ...fault(
      "SEND-8",
      "a subject that is folded between encoded words arrives with a blank at each fold",
      () => (request, next) => next(request),
    ),
    deliver: (mime) =>
      mime.replace(/^Subject:.*(?:\r\n[ \t].*)*/im, (header) =>
        header.replace(/\?=(\r\n[ \t]+|[ \t]+)(?==\?)/g, "?=$1=?UTF-8?Q?_?=$1"),
      ),
  },
  // Source: from experience (a header value goes through Latin-1)
  takesMessage(
    "SEND-24",
    "an extra header has a question mark for each character beyond Latin-1",
    (message) =>
      isObject(message.headers)
        ? {
            ...message,
            headers: mapValues(
              message.headers,
              onText((text) => text.replace(/[\u0100-\u{10ffff}]/gu, "?")),
            ),
          }
        : message,
  ),
  // Source: from experience (header values are split at commas into a list, of which the first entry is kept)
  takesMessage("SEND-24", "List-Unsubscribe keeps the first of two links", (message) => {
    const headers = objectOf(message.headers);
    const value = headers["List-Unsubscribe"];
    return typeof value === "string"
      ? { ...message, headers: { ...headers, "List-Unsubscribe": value.split(/,\s*(?=<)/)[0] } }
      : message;
  }),
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
  fault(
    "GEN-13",
    "a contact whose email address has a slash is looked up by what comes after it",
    () => (request, next) => {
      const email = isContactLookup(request) ? contactOf(request) : "";
      if (!email.includes("/")) return next(request);
      const last = email.slice(email.lastIndexOf("/") + 1);
      return next({ ...request, path: `/api/v1/newsletter/contacts/${encodeURIComponent(last)}` });
    },
  ),
  // Source: usnistgov/ACVP#921 (an encoded apostrophe in a URL)
  readsPath("an apostrophe in the email address of a path is doubled, as for SQL", (part) =>
    /'|%27/.test(part) ? part.replaceAll("'", "''").replaceAll("%27", "%27%27") : undefined,
  ),
  // Source: from experience (lower case in the locale of a Turkish server)
  fault("MEMB-2", "a capital I in an email address becomes a dotless one", () => {
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
    (contact) =>
      typeof contact.first_name === "string" && [...contact.first_name].length <= 120
        ? { ...contact, first_name: contact.first_name.slice(0, 120).toWellFormed() }
        : contact,
  ),
  // Source: from experience (PHP's htmlspecialchars on input: O'Brien)
  takesContact("MEMB-6", "an apostrophe in a last name is stored as a reference", (contact) =>
    typeof contact.last_name === "string"
      ? { ...contact, last_name: contact.last_name.replaceAll("'", "&#039;") }
      : contact,
  ),
  // Source: from experience (ucwords on names: McDonald, van der Berg)
  showsMembership(
    "MEMB-6",
    "a last name begins each word with a capital and continues in lower case",
    (membership) => ({
      ...membership,
      last_name:
        typeof membership.last_name === "string"
          ? membership.last_name.replace(
              /[A-Za-z]+/g,
              (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
            )
          : membership.last_name,
    }),
  ),
  // Source: from experience (the last name Null)
  showsMembership("MEMB-6", "the last name Null comes back as null", (membership) => ({
    ...membership,
    last_name: /^null$/i.test(textOf(membership.last_name)) ? null : membership.last_name,
  })),
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
  takesContact("LIST-9", "a date before 1970 is stored as the day before", (contact) =>
    field(onDate((date) => (date < "1970" ? dayAfter(date, -1) : date)))(contact),
  ),
  // Source: tutao/tutanota#3684, nextcloud/server#19218
  takesContact("LIST-9", "a leap day is stored as the first of March", (contact) =>
    field(onDate((date) => date.replace("-02-29", "-03-01")))(contact),
  ),
  // Source: from experience (years below 100 count from 1900 in JavaScript's Date)
  showsMembership(
    "LIST-9",
    "a date in the first century comes back in the twentieth",
    field(onDate((date) => date.replace(/^00(\d\d)/, "19$1"))),
  ),
  // Source: from experience (9999-12-31 stands for no date)
  showsMembership(
    "LIST-9",
    "the last day of the year 9999 comes back as null",
    field(onDate((date) => (date === "9999-12-31" ? null : date))),
  ),
  // Source: from experience (a URL is stored as its parser writes it)
  takesContact("MEMB-7", "a URL in a custom field is written as its parser writes it", (contact) =>
    field((value) =>
      typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value)
        ? new URL(value).href
        : value,
    )(contact),
  ),
  // Source: from experience (protection against formulas in CSV exports)
  takesContact("MEMB-7", "a text in a custom field that begins as a formula gets an apostrophe", (contact) =>
    field((value) => (typeof value === "string" && /^[=+@-]/.test(value) ? `'${value}` : value))(contact),
  ),
  // Source: from experience (tags as a comma-separated text)
  takesContact("CONT-16", "a contact tag with a comma becomes two", (contact) =>
    Array.isArray(contact.tags) && contact.tags.length <= 20
      ? {
          ...contact,
          tags: contact.tags.flatMap((tag) => (typeof tag === "string" ? tag.split(",") : tag)).slice(0, 20),
        }
      : contact,
  ),
  // Source: from experience (in utf8mb4_general_ci all characters beyond the BMP are equal)
  showsMembership(
    "CONT-16",
    "of contact tags that only differ in characters beyond the BMP, the first is kept",
    (membership) => {
      const seen = new Set<string>();
      const kept = listOf(membership.tags).filter((tag) => {
        const folded = textOf(tag).replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd");
        if (folded.includes("\ufffd") && seen.has(folded)) return false;
        seen.add(folded);
        return true;
      });
      return { ...membership, tags: kept };
    },
  ),
  // Source: bitwalker/timex#250, SpamScope/mail-parser#61
  readsTime("the minutes of an offset east of Greenwich are ignored", (text) => {
    const minutes = /\+\d\d:(\d\d)$/.exec(text)?.[1];
    return minutes === undefined || minutes === "00" ? undefined : shifted(text, Number(minutes) * 60_000);
  }),
  // Source: owncloud/core#14391 (offsets such as -03:30), from experience
  readsTime("the minutes of an offset west of Greenwich are read with the wrong sign", (text) => {
    const minutes = /-\d\d:(\d\d)$/.exec(text)?.[1];
    return minutes === undefined || minutes === "00" ? undefined : shifted(text, Number(minutes) * -120_000);
  }),
  // Source: from experience (the sign of -00 is lost)
  readsTime("the sign of the offset -00:30 is lost", (text) => {
    const minutes = /-00:(\d\d)$/.exec(text)?.[1];
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
    const variables = objectOf(message.variables);
    const fill = (text: string): string =>
      text.replace(/\{\{\s*([\w.:-]+)\s*\}\}/g, (_, name: string) => textOf(variables[name]));
    return isObject(message.variables)
      ? { ...message, variables: mapValues(variables, onText(fill)) }
      : message;
  }),
  // Source: from experience (JavaScript's String.replace and its replacement patterns)
  takesMessage("SEND-16", "two dollar signs in the value of a template variable become one", (message) =>
    isObject(message.variables)
      ? {
          ...message,
          variables: mapValues(
            message.variables,
            onText((text) => text.replaceAll("$$", "$")),
          ),
        }
      : message,
  ),
  // Source: from experience (PHP's empty("0"))
  takesMessage("SEND-16", "the value 0 of a template variable is taken for none", (message) =>
    isObject(message.variables)
      ? {
          ...message,
          variables: mapValues(message.variables, (value) => (value === "0" || value === 0 ? "" : value)),
        }
      : message,
  ),
  // Source: sendgrid/sendgrid-nodejs#1191, firebase/extensions#69
  fault("SEND-16", "the value of a template variable is escaped in the subject as in HTML", () => {
    const filled = new Set<unknown>();
    return async (request, next) => {
      const response = await next(request);
      if (isSend(request) && isSuccess(response) && "template_id" in objectOf(request.body))
        filled.add(objectOf(response.body).id);
      if (!isLookup(request) || !isObject(response.body) || !filled.has(response.body.id)) return response;
      return { ...response, body: { ...response.body, subject: escapeHtml(textOf(response.body.subject)) } };
    };
  }),
  // Source: from experience (the transparency of SMTP, RFC 5321, 4.5.2)
  takesMessage("SEND-12", "a line of a text body that begins with a dot loses it", (message) =>
    typeof message.text === "string" ? { ...message, text: message.text.replace(/^\./gm, "") } : message,
  ),
  // Source: from experience (mbox files)
  takesMessage("SEND-12", "a line of a text body that begins with From gets an angle bracket", (message) =>
    typeof message.text === "string"
      ? { ...message, text: message.text.replace(/^From /gm, ">From ") }
      : message,
  ),
  // Source: from experience (old mail servers break long lines with an exclamation mark)
  takesMessage(
    "SEND-11",
    "a line of more than 990 characters in an HTML body is broken with an exclamation mark",
    (message) =>
      typeof message.html === "string"
        ? { ...message, html: message.html.replace(/[^\r\n]{990}(?=[^\r\n])/g, (line) => `${line}!\r\n `) }
        : message,
  ),
  // Source: from experience (plus addresses are taken for aliases)
  takesMessage("SEND-33", "a recipient in `to` loses what comes after a plus sign", (message) =>
    Array.isArray(message.to)
      ? { ...message, to: message.to.map(onText((address) => address.replace(/\+[^@]*(?=@)/, ""))) }
      : message,
  ),
];
