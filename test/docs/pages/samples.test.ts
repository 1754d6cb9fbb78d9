import { describe, expect, test } from "vitest";
import { pagesOf } from "../../../scripts/docs/page.ts";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { guideRequest, sampleRequests, samplesOf } from "../../../scripts/docs/samples/samples.ts";
import { composeSite } from "../../../scripts/docs/site.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const document = await readBundle();
const requests = sampleRequests(document);
const baseUrl = "https://mail.test";

test("every operation has one request, with the first example of its body", () => {
  expect(requests.map(({ operationId }) => operationId)).toEqual(operationsOf(document).map(({ id }) => id));
  expect(requests.flatMap(({ name }) => name ?? [])).toEqual([
    ...["receipt", "two_receipts", "one_week_later", "signup", "one_list"],
  ]);
});

test("no two requests have the same idempotency key", () => {
  const guide = guideRequest(document, "sendEmail", "scheduled");
  const keys = [...requests, guide].flatMap((request) => request?.headers["Idempotency-Key"] ?? []);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(keys.length);
});

describe.each(languages)("$title", ({ write }) => {
  test.each(requests)("$operationId has the base URL and the variable of the API key once", (request) => {
    const code = write(request, baseUrl) ?? "";
    expect(code.split(baseUrl)).toHaveLength(2);
    expect(code.split("EMAIL_API_KEY")).toHaveLength(2);
    expect(code).not.toMatch(/Bearer EMAIL_API_KEY|[^\n]\n{3}|[ \t]\n/);
  });
});

test("an operation that the client does not have gets no sample in TypeScript", async () => {
  const changed = structuredClone(document);
  const { post } = changed.paths["/api/v1/emails"] ?? {};
  if (post === undefined) throw new TypeError("the document has no POST /api/v1/emails");
  changed.paths["/api/v1/drafts"] = { post: { ...post, operationId: "createDraft" } };
  const samples = samplesOf(changed).get("createDraft") ?? [];
  expect(samples.map(({ title }) => title)).toEqual(
    languages.map(({ title }) => title).filter((title) => title !== "TypeScript"),
  );
  const [curl] = samples;
  expect(curl?.block).toContain("curl https://api.example.com/api/v1/drafts");
  expect(curl?.block).toContain('"subject": "Your receipt for order 1042"');
});

test("the sample in Ruby uses TLS only with https: a reader may send it to the sandbox", () => {
  const ruby = samplesOf(document)
    .get("getMe")
    ?.find(({ title }) => title === "Ruby");
  expect(ruby?.block).toContain('http.use_ssl = url.scheme == "https"');
});

test("a long URL of curl has a line of its own", () => {
  const curl = (id: string): string | undefined => samplesOf(document).get(id)?.[0]?.block;
  const url = "https://api.example.com/api/v1";
  expect(curl("upsertContact")).toContain(
    `curl --request POST \\\n  ${url}/newsletter/contacts \\\n  --header`,
  );
  expect(curl("listNewsletterLists")).toContain(`curl \\\n  ${url}/newsletter/lists \\\n  --header`);
  expect(curl("getMe")).toContain(`curl ${url}/me \\\n  --header`);
});

test("query parameters are in the URL, and an argument of the method of the client", () => {
  const changed = structuredClone(document);
  const get = changed.paths["/api/v1/newsletter/lists"]?.get;
  const { PageLimit, PageCursorParameter } = changed.components?.parameters ?? {};
  if (get === undefined || PageLimit === undefined || PageCursorParameter === undefined)
    throw new TypeError("the document has no page parameters");
  get.parameters = [PageLimit, PageCursorParameter];
  const [curl, typescript] = samplesOf(changed).get("listNewsletterLists") ?? [];
  expect(curl?.block).toContain("/api/v1/newsletter/lists?limit=50&cursor=eyJhZnRlciI6NDJ9");
  expect(typescript?.block).toContain("client.newsletter.lists({\n  limit: 50,\n  cursor: ");
});

test.each([
  [{ url: "https://mail.test/" }, "https://mail.test/api/v1/me"],
  [
    { url: "https://{host}", variables: { host: { default: "eu.mail.test" } } },
    "https://eu.mail.test/api/v1/me",
  ],
])("the base URL is that of the first server: %j", (server, url) => {
  const [curl] = samplesOf({ ...document, servers: [server] }).get("getMe") ?? [];
  expect(curl?.block).toContain(`curl ${url} `);
});

test("a guide has a scheduled send in every language", async () => {
  const guide = pagesOf(await composeSite(document)).find(({ path }) => path === "guides/scheduling");
  expect(guide?.text).not.toContain("data-samples");
  for (const { title } of languages) expect(guide?.text).toContain(`**${title}**`);
  expect(guide?.text.split("```go\n")[1]?.split("```\n")[0]).toContain("scheduled_at");
});

test("the note of a language is below its sample", () => {
  const block = samplesOf(document).get("getMe")?.at(-1)?.block;
  expect(block).toMatch(/```\n\n<\/div>\n\nThis sample is not tested\.$/);
});
