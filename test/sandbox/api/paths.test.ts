import { expect, test } from "vitest";
import { createPathMatcher, pathOf, queryOf } from "../../../sandbox/api/paths.ts";

const match = createPathMatcher([
  ["/emails/{id}", "one"],
  ["/emails/batch", "batch"],
  ["/contacts/{email}/lists/{list}", "list"],
]);

test.each([
  ["/emails/msg_1", "one", { id: "msg_1" }],
  ["/emails/a%2Fb", "one", { id: "a/b" }],
  ["/emails/a%252Fb", "one", { id: "a%2Fb" }],
  ["/emails/batch", "batch", {}],
  ["/emails/batch2", "one", { id: "batch2" }],
  ["/contacts/ada%40readers.example/lists/2", "list", { email: "ada@readers.example", list: "2" }],
])("%s matches %s with %j", (path, value, parameters) => {
  expect(match(path)).toEqual({ value, parameters });
});

test.each([
  "/emails",
  "/emails/",
  "/emails/%",
  "/emails/%FF",
  "/emails/a/",
  "//emails/a",
  "/Emails/a",
  "/emails/a/../b",
  "",
])("%j matches no template", (path) => {
  expect(match(path)).toBeUndefined();
});

test.each([
  ["/a/b?c/d?e", "/a/b", "c/d?e"],
  ["?a", "/", "a"],
  ["http://host/a?b", "/a", "b"],
  ["http://host", "/", ""],
  ["*", "*", ""],
  ["", "/", ""],
])("the path of %j is %j and its query %j", (target, path, query) => {
  expect(pathOf(target)).toBe(path);
  expect(queryOf(target)).toBe(query);
});
