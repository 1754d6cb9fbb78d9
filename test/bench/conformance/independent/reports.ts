import { limits } from "../../../../generated/limits.ts";
import { isObject } from "../../../../lib/objects.ts";
import { isBatch, stateful } from "../../../mutants/email.ts";
import {
  contactPath,
  crashes,
  inList,
  inText,
  isAboutContact,
  mapMemberships,
  mapMessages,
  showsMessage,
  takesMessage,
  withHeader,
  withoutHeaders,
} from "../../../mutants/fault-support.ts";
import { authorizationOf, lookupAt, withPast } from "../../../mutants/history.ts";
import { type MutantRequest, type Next, remembers, shows, takes } from "../../../mutants/mutant.ts";
import {
  changeUpserts,
  emailOf,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  membershipsOf,
  objectOf,
} from "../../../mutants/newsletter.ts";
import { errorIn, operationOf, withError, withFields } from "../../../mutants/requests.ts";
import { isReplay } from "../../../mutants/same-key.ts";
import { type IndependentFault, reported } from "./fault.ts";

const memberships = async (request: MutantRequest, next: Next): Promise<Json[]> =>
  membershipsOf(await next(lookupAt(request, contactPath(emailOf(request)))));

const nameOf = (request: MutantRequest, { email, list_id: list }: Json): string =>
  `${authorizationOf(request)} ${email} ${list}`;

/** Faults of newsletters, as their issues describe them. */
const newsletterReports: IndependentFault[] = [
  reported(
    "knadh/listmonk#2515",
    remembers("MEMB-17", "an update subscribes a contact again that had unsubscribed", () => {
      const back = new Set<string>();
      return (response, request) => {
        const { body } = response;
        if (isUpsert(request) && isSuccess(response) && objectOf(body).status === "unsubscribed")
          back.add(nameOf(request, objectOf(body)));
        return mapMemberships(response, request, (membership) =>
          back.has(nameOf(request, membership)) && membership.status === "unsubscribed"
            ? { ...membership, status: "subscribed", unsubscribed_at: null }
            : membership,
        );
      };
    }),
  ),
  reported(
    "knadh/listmonk#2987",
    remembers("MEMB-16", "a contact that has confirmed is pending again after an update", () => {
      const pending = new Set<string>();
      const again = new Set<string>();
      return (response, request) => {
        if (isUpsert(request) && isSuccess(response)) {
          const membership = objectOf(response.body);
          const name = nameOf(request, membership);
          if (membership.status === "pending") pending.add(name);
          if (membership.status === "subscribed" && pending.has(name)) again.add(name);
        }
        return mapMemberships(response, request, (membership) =>
          again.has(nameOf(request, membership)) && membership.status === "subscribed"
            ? { ...membership, status: "pending", subscribed_at: null }
            : membership,
        );
      };
    }),
  ),
  reported(
    "knadh/listmonk#289",
    withPast(
      "MEMB-16",
      "an update clears the custom fields that it does not name",
      async (request, next, { history }) => {
        const { fields, list_id: list } = objectOf(request.body);
        if (!isUpsert(request) || !isObject(fields) || history.memberOf(request) === undefined)
          return next(request);
        const current = (await memberships(request, next)).find((one) => one.list_id === list);
        const others = Object.keys(objectOf(current?.fields)).filter((name) => !Object.hasOwn(fields, name));
        const cleared = others
          .slice(0, Math.max(0, limits.contactFields - Object.keys(fields).length))
          .map((name): [string, null] => [name, null]);
        return next(withFields(request, { fields: { ...Object.fromEntries(cleared), ...fields } }));
      },
    ),
  ),
  reported(
    "Mailtrain-org/mailtrain#631",
    changeUpserts("CONT-2", "an email address in another case is added again", (response, _, request) => {
      const { email } = objectOf(request.body);
      return response.status === 200 && email !== emailOf(request) ? { ...response, status: 201 } : undefined;
    }),
  ),
  reported(
    "putyourlightson/craft-campaign#523",
    stateful(
      "UNSUB-4",
      "an unsubscribe from a list is one from the contact's first list",
      () => async (request, next) => {
        const { list_id: list } = objectOf(request.body);
        if (!isUnsubscribe(request) || list === undefined) return next(request);
        const lists = (await memberships({ ...request, body: undefined }, next)).map((one) => one.list_id);
        return next(lists.includes(list) ? withFields(request, { list_id: lists[0] }) : request);
      },
    ),
  ),
  reported(
    "schaurian/schautrack#378",
    crashes(
      "ERR-13",
      "a NUL character in a contact ends in a 500",
      (request) => isUpsert(request) && JSON.stringify(request.body ?? null).includes("\\u0000"),
    ),
  ),
  reported(
    "awesomemotive/easy-digital-downloads#210",
    takes("GEN-13", "a plus sign in the email address of a path becomes a space", (request) =>
      isAboutContact(request) ? { ...request, path: request.path.replaceAll(/%2B|\+/gi, "%20") } : undefined,
    ),
  ),
];

/** Faults of mail, as their issues describe them. */
const mailReports: IndependentFault[] = [
  reported(
    "flashmob/go-guerrilla#232",
    showsMessage(
      "LOOK-5",
      "a subject with a character of four bytes is shown empty",
      inText("subject", (subject) => (/[\u{10000}-\u{10ffff}]/u.test(subject) ? "" : subject)),
    ),
  ),
  reported(
    "datawookie/emayili#21",
    takesMessage(
      "SEND-11",
      "an equals sign with two hexadecimal digits in the HTML body is decoded",
      inText("html", (html) =>
        html.replaceAll(/=([0-9a-f]{2})/gi, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        ),
      ),
    ),
  ),
  reported(
    "iomad/iomad#272",
    takes("SEND-18", "a batch message without cc has that of the message before", (request) => {
      let cc: unknown;
      return isBatch(request)
        ? mapMessages(request, (message) => {
            cc = message.cc ?? cc;
            return cc === undefined ? message : { ...message, cc };
          })
        : undefined;
    }),
  ),
  reported(
    "everruns/bashkit#1569",
    takesMessage(
      "ATT-9",
      "a link to a private address of IPv4, written as one of IPv6, is accepted",
      inList("attachments", (attachments) =>
        attachments.map((one) =>
          isObject(one) && typeof one.path === "string" && /^https:\/\/\[::ffff:/i.test(one.path)
            ? { ...one, path: "https://files.example.com/terms.pdf" }
            : one,
        ),
      ),
    ),
  ),
];

/** Faults of HTTP servers and their middleware, as their issues describe them. */
const serverReports: IndependentFault[] = [
  reported(
    "fastify/fastify-rate-limit#301",
    shows("HEAD-8", "Retry-After is in milliseconds", (response) => {
      const { "retry-after": wait } = response.headers;
      return wait === undefined ? undefined : withHeader(response, "retry-after", `${wait}000`);
    }),
  ),
  reported(
    "express-rate-limit/express-rate-limit#354",
    shows("HEAD-7", "each of two processes counts its requests for itself", (response) => {
      const { "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining } = response.headers;
      if (limit === undefined || remaining === undefined) return undefined;
      const counted = Math.ceil((Number(limit) - Number(remaining)) / 2);
      return withHeader(response, "x-ratelimit-remaining", String(Number(limit) - counted));
    }),
  ),
  reported(
    "ikyriak/IdempotentAPI#39",
    shows("IDEM-1", "a replay has the status 200", (response) =>
      isReplay(response) ? { ...response, status: 200 } : undefined,
    ),
  ),
  reported(
    "BinarCode/laravel-restify#715",
    shows("BATCH-8", "field errors of a batch name its first message", (response, request) => {
      const fields = errorIn(response)?.fields;
      if (!isBatch(request) || !isObject(fields)) return undefined;
      const named = Object.entries(fields).map(([name, texts]): [string, unknown] => [
        name.replace(/^emails\.\d+/, "emails.0"),
        texts,
      ]);
      return withError(response, { fields: Object.fromEntries(named) });
    }),
  ),
  reported(
    "NLstn/go-odata#729",
    shows("HEAD-10", "a 405 has no Allow", (response) =>
      response.status === 405 ? withoutHeaders(response, "allow") : undefined,
    ),
  ),
  reported(
    "forem/forem#3959",
    shows("ERR-6", "the response to an unknown path is a page of HTML", (response, request) => {
      const isUnknown = response.status === 404 && operationOf(request) === undefined;
      return isUnknown && request.path.startsWith("/api/v1/")
        ? {
            ...withHeader(response, "content-type", "text/html"),
            body: undefined,
            text: "<h1>Not found</h1>",
          }
        : undefined;
    }),
  ),
];

/** Modelled on public reports, each of another project. */
export const reportedFaults: IndependentFault[] = [...newsletterReports, ...mailReports, ...serverReports];
