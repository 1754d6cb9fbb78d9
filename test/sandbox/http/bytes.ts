import { expect } from "vitest";
import { keys } from "../rig.ts";
import { parse } from "./raw.ts";

export const close = "Connection: close\r\n";
export const bearer = `Authorization: Bearer ${keys.all}\r\n`;

/** The bytes of a request without a body, after which the connection closes. */
export const head = (line: string, more = "") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${bearer}${close}${more}\r\n`;

/** The response when no request could be parsed. */
export const expectUnreadable = (read: string) => {
  const response = parse(read);
  expect(response?.status).toBe(422);
  const { error } = JSON.parse(response?.text ?? "");
  expect([error.type, Object.keys(error.fields)]).toEqual(["invalid_request", ["request"]]);
  expect(error.request_id).toBe(response?.headers["x-service-request-id"]);
};
