import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { settingsFrom } from "../../contract/config/load.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { keys } from "./world.ts";

const name = "test/second-server/contract.yaml";
const value: unknown = parse(readFileSync(new URL("contract.yaml", import.meta.url), "utf8"));

/** Each key in the environment variable that is named after it. */
const env = Object.fromEntries(Object.keys(keys).map((key) => [key.toUpperCase().replaceAll("-", "_"), key]));

/** The settings of a suite run on the second server, from its configuration as any server's operator writes one. */
export const secondServerSettings = (baseUrl: string): Settings =>
  settingsFrom({ name, value }, undefined, { baseUrl, env });
