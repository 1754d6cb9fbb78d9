import { type Fault, instead } from "./fault.ts";
import {
  addressIn,
  inPosts,
  inRecords,
  isGood,
  isPost,
  type Json,
  listOf,
  membershipsIn,
  objectOf,
  refusal,
  refuses,
  takes,
  textOf,
  without,
} from "./newsletter.ts";

const consentOf = (body: Json): Json => objectOf(body.consent);

/** What a post takes and refuses. */
export const contactRequestsFaults: Fault[] = [
  takes("CONT-5", "a contact without email", (body) =>
    "email" in body ? undefined : { ...body, email: "nobody@readers.example" },
  ),
  takes("CONT-5", "an email without a domain", (body) =>
    textOf(body.email).endsWith("@") || (body.email && !textOf(body.email).includes("@"))
      ? { ...body, email: "somebody@readers.example" }
      : undefined,
  ),
  takes("CONT-5", "an email without a local part", (body) =>
    textOf(body.email).startsWith("@") ? { ...body, email: `somebody${textOf(body.email)}` } : undefined,
  ),
  refuses("CONT-5", "an email with a plus sign", "email", ({ email }) => textOf(email).includes("+")),
  takes("CONT-6", "a contact without list_id", (body) =>
    "list_id" in body ? undefined : { ...body, list_id: 2 },
  ),
  takes("CONT-6", "a list_id written as a text", (body) =>
    typeof body.list_id === "string" ? { ...body, list_id: 2 } : undefined,
  ),
  takes("CONT-6", "a list_id that is a fraction", (body) =>
    Number.isInteger(body.list_id) || typeof body.list_id !== "number" ? undefined : { ...body, list_id: 2 },
  ),
  takes("CONT-7", "a list of another account", (body) =>
    body.list_id === 11 ? { ...body, list_id: 2 } : undefined,
  ),
  takes("CONT-7", "a list that is not there", (body) =>
    typeof body.list_id === "number" && body.list_id > 1000 ? { ...body, list_id: 2 } : undefined,
  ),
  instead("CONT-7", "a list of another account is answered 403 forbidden", (request) =>
    isPost(request) && objectOf(request.body).list_id === 11 ? refusal(403, "forbidden") : undefined,
  ),
  instead("CONT-7", "a list of another account is answered 422", (request) =>
    isPost(request) && objectOf(request.body).list_id === 11
      ? refusal(422, "invalid_request", "list_id")
      : undefined,
  ),
  ...(["first_name", "last_name"] as const).flatMap((name): Fault[] => {
    const id = name === "first_name" ? "CONT-8" : "CONT-9";
    return [
      takes(id, `a ${name} of 121 characters`, (body) =>
        textOf(body[name]).length > 120 ? { ...body, [name]: textOf(body[name]).slice(0, 120) } : undefined,
      ),
      refuses(id, `a ${name} of 120 characters`, name, (body) => textOf(body[name]).length === 120),
      takes(id, `a ${name} that is a number`, (body) =>
        typeof body[name] === "number" ? { ...body, [name]: String(body[name]) } : undefined,
      ),
    ];
  }),
  ...(
    [
      ["CONT-8", "first_name"],
      ["CONT-9", "last_name"],
    ] as const
  ).map(([id, name]) =>
    refuses(
      id,
      `a ${name} of more than 120 bytes`,
      name,
      (body) => Buffer.byteLength(textOf(body[name])) > 120,
    ),
  ),
  takes("CONT-14", "21 tags", (body) =>
    listOf(body.tags).length > 20 ? { ...body, tags: listOf(body.tags).slice(0, 20) } : undefined,
  ),
  refuses("CONT-14", "20 tags", "tags", ({ tags }) => listOf(tags).length === 20),
  takes("CONT-14", "a text in place of tags", (body) =>
    typeof body.tags === "string" ? { ...body, tags: [body.tags] } : undefined,
  ),
  takes("CONT-15", "a tag of 61 characters", (body) =>
    listOf(body.tags).some((tag) => textOf(tag).length > 60)
      ? { ...body, tags: listOf(body.tags).map((tag) => textOf(tag).slice(0, 60)) }
      : undefined,
  ),
  refuses("CONT-15", "a tag of 60 characters", "tags", ({ tags }) =>
    listOf(tags).some((tag) => textOf(tag).length === 60),
  ),
  refuses("CONT-15", "a tag of more than 60 bytes", "tags", ({ tags }) =>
    listOf(tags).some((tag) => Buffer.byteLength(textOf(tag)) > 60),
  ),
  takes("CONT-15", "a tag that is a number", (body) =>
    listOf(body.tags).some((tag) => typeof tag === "number")
      ? { ...body, tags: listOf(body.tags).map(String) }
      : undefined,
  ),
  {
    breaks: "CONT-16",
    title: "tags are replaced instead of added",
    between: () => {
      const last = new Map<string, unknown>();
      return async (request, next) => {
        const answer = await next(request);
        if (!isPost(request) || !isGood(answer)) return answer;
        const { tags } = objectOf(request.body);
        if (Array.isArray(tags)) last.set(addressIn(request), tags);
        const kept = last.get(addressIn(request)) ?? [];
        return { ...answer, body: { ...objectOf(answer.body), tags: kept } };
      };
    },
  },
  inPosts("CONT-16", "an empty list takes all tags away", (answer, membership, { body }) => {
    const { tags } = objectOf(body);
    return Array.isArray(tags) && tags.length === 0
      ? { ...answer, body: { ...membership, tags: [] } }
      : undefined;
  }),
  inPosts("CONT-16", "a post without tags takes all tags away", (answer, membership, { body }) =>
    "tags" in objectOf(body) ? undefined : { ...answer, body: { ...membership, tags: [] } },
  ),
  inRecords("CONT-16", "a contact that is looked up has but one tag", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).map((one) => ({ ...one, tags: listOf(one.tags).slice(0, 1) })),
  })),
  ...(
    [
      ["CONT-17", "detail"],
      ["CONT-21", "ip"],
      ["CONT-22", "user_agent"],
    ] as const
  ).flatMap(([id, name]): Fault[] => [
    takes(id, `a number as consent.${name}`, (body) =>
      typeof consentOf(body)[name] === "number" ? without(body, "consent") : undefined,
    ),
    refuses(id, `a consent.${name}`, `consent.${name}`, (body) => typeof consentOf(body)[name] === "string"),
  ]),
  refuses(
    "CONT-21",
    "a consent without a detail",
    "consent.detail",
    (body) => "ip" in consentOf(body) && !("detail" in consentOf(body)),
  ),
  refuses("CONT-21", "a consent.ip of version 6", "consent.ip", (body) =>
    textOf(consentOf(body).ip).includes(":"),
  ),
];
