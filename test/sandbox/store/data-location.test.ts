import { expect, test } from "vitest";
import { shownData } from "../../../sandbox/store/data-location.ts";

test.each([
  ["data", "data"],
  ["./postgres", "./postgres"],
  ["postgres:embedded", "postgres:embedded"],
  ["postgres://ada:secret@db.example:5432/mail?sslmode=require", "postgres://ada@db.example:5432/mail"],
  ["postgresql://db.example/mail?password=secret", "postgresql://db.example/mail"],
  ["postgres://ada:secret@db.example:port/mail", "a PostgreSQL database"],
])("%s is shown as %s", (data, shown) => {
  expect(shownData(data)).toBe(shown);
});
