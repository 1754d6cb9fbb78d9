import { expect, test } from "vitest";
import type { MutantResponse, SandboxContext } from "../mutant.ts";
import { variants } from "../variants.ts";
import { combinationsOf, unseenTitles } from "./combinations.ts";
import { combined } from "./combine.ts";
import { changeEveryResponse, type Variant } from "./variant.ts";

const context = {} as SandboxContext;
const request = { method: "GET", path: "/api/v1/me", headers: {}, body: undefined };

const withBody = (title: string, change: (body: object) => object): Variant =>
  changeEveryResponse(title, (response) => ({ ...response, body: change(response.body as object) }));

/** What a server with these variants shows of each, the first nearest to the client. */
async function seen(...of: Variant[]): Promise<{ response: MutantResponse; isSeen: boolean[] }> {
  const { intercept, isSeen } = combined(of);
  const body = { name: "a", other: 1 };
  const response = await intercept(context)(request, async () => ({ status: 200, headers: {}, body }));
  return { response, isSeen };
}

const renamed = withBody("has another name", (body) => ({ ...body, name: "b" }));
const unnamed = withBody("has the first name", (body) => ({ ...body, name: "a" }));
const longer = withBody("has another property", (body) => ({ ...body, more: 2 }));
const reversed = withBody("has another order", (body) => Object.fromEntries(Object.entries(body).reverse()));

test("the server has what each variant changes", async () => {
  const { response, isSeen } = await seen(longer, reversed, renamed);
  expect(JSON.stringify(response.body)).toBe('{"other":1,"name":"b","more":2}');
  expect(isSeen).toEqual([true, true, true]);
});

test("a change that another variant undoes is not seen", async () => {
  expect((await seen(longer, unnamed, renamed)).isSeen).toEqual([true, true, false]);
  expect((await seen(longer, reversed, reversed)).isSeen).toEqual([true, true, false]);
});

test("mails have what each variant changes", () => {
  const mails = combined(["1", "2"].map((text) => ({ title: text, deliver: (mime) => mime + text })));
  expect(mails.deliver("mail ", "a@b.example")).toBe("mail 12");
  expect(mails.isSeen).toEqual([true, true]);
});

test("each variant is on one server", () => {
  const titles = combinationsOf(variants).flatMap((server) => server.map(({ title }) => title));
  expect(titles.toSorted()).toEqual(variants.map(({ title }) => title).toSorted());
  expect(titles).toEqual(expect.arrayContaining([...unseenTitles]));
});
