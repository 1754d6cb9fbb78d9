import type { Email } from "postal-mime";
import { expect, test } from "vitest";
import { confirmationLinks, openLink, submitForms } from "../../../contract/support/mail.ts";

const links = (parts: { html?: string; text?: string }): Promise<string[]> =>
  confirmationLinks(parts as Email);

test.each<[string, { html?: string; text?: string }, string[]]>([
  [
    "a link in a text ends before its full stop",
    { text: "Open https://a.example/c?x=1." },
    ["https://a.example/c?x=1"],
  ],
  [
    "a link that says so comes in place of the others",
    { text: "https://a.example/ https://a.example/confirm?t=1" },
    ["https://a.example/confirm?t=1"],
  ],
  [
    "the label of a link says what it does",
    { html: '<a href="https://a.example/1">Home</a><a href=https://a.example/2>Confirm</a>' },
    ["https://a.example/2"],
  ],
  [
    "entities of a link are decoded",
    { html: "<a href='https://a.example/?a=1&amp;b=2'>Yes</a>" },
    ["https://a.example/?a=1&b=2"],
  ],
  [
    "links to leave are not opened",
    { html: '<a href="https://a.example/unsubscribe">No</a><a href="https://a.example/1">Unsubscribe</a>' },
    [],
  ],
  ["a link in a comment is none", { html: '<!-- <a href="https://a.example/confirm">Yes</a> -->' }, []],
  [
    "a link without an end tag is one",
    { html: '<p title="a > b"><a class=x href = "https://a.example/1" >Yes' },
    ["https://a.example/1"],
  ],
  ["pictures are no links", { html: '<img src="https://a.example/confirm.png">' }, []],
  [
    "the same link in both parts is one",
    { html: '<a href="https://a.example/1">Yes</a>', text: "https://a.example/1" },
    ["https://a.example/1"],
  ],
])("%s", async (_, parts, expected) => {
  expect(await links(parts)).toEqual(expected);
});

test("a form is submitted with its fields and cookies to the URL of its action; one to leave is not", async () => {
  const requests: [string, string | undefined, unknown, string | null][] = [];
  const form = `<form action="/done?old=1"><input name=t value="a&amp;b"><button>Yes</button></form>
    <form method="post"><input type="hidden" name="t" value="2"></form><form action="/leave"></form>`;
  const visit = {
    deadline: 1,
    fetch: async (url: string, { method, body, headers }: RequestInit) => {
      requests.push([url, method, body, new Headers(headers).get("cookie")]);
      return new Response(form, { headers: { "content-type": "text/html", "set-cookie": "a=1; Path=/" } });
    },
  };
  const page = await openLink("https://a.example/confirm?t=1", visit);
  expect(page.note).toBe("GET https://a.example/confirm responded with 200");
  for (const submit of await submitForms(page, visit)) await submit();
  expect(requests.slice(1)).toEqual([
    ["https://a.example/done?t=a%26b", undefined, undefined, "a=1"],
    ["https://a.example/confirm?t=1", "POST", "t=2", "a=1"],
  ]);
});

test("a link without a response says why", async () => {
  const fetch = () =>
    Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }));
  expect(await openLink("https://a.example/confirm?t=1", { fetch, deadline: 1 })).toEqual({
    note: "GET https://a.example/confirm had no response: connect ECONNREFUSED",
  });
});

test.each([
  ["links without an end", "<a>"],
  ["tags without an end", "<a "],
  ["nested elements", "<a><b>"],
  ["forms", "<form><input>"],
  ["attributes", "<form action="],
  ["full stops", "......"],
  ["links in a text", "https://a.example/......,"],
])("a mail and a page of a megabyte of %s are read in no time", async (_, part) => {
  const text = part.repeat(1_000_000 / part.length);
  const page = { url: "https://a.example/", text, cookie: "" };
  const visit = { deadline: 1, fetch: () => Promise.reject(new Error("nothing is sent")) };
  const started = process.cpuUsage();
  await links({ html: text, text: `https://a.example/${text}x` });
  await submitForms({ note: "", html: page }, visit);
  // In microseconds, whatever else the machine does. Squared in the length, it would be minutes.
  expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
});
