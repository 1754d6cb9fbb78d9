import * as engine from "../../engine/check.ts";
import type { ClientTester } from "./client-tester.ts";

export type ClientCheck = engine.Check<ClientTester>;

/** A test case of a client. */
export const testCase = engine.testCase<ClientTester>;

/** Defines a check of a client, like those of a server. */
export const check = engine.check<ClientTester>;
