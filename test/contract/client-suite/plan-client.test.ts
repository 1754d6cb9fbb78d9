import { describe, expect, it } from "vitest";
import { clientCases, requirementsOfCases } from "../../../contract/client-suite/run-client.ts";
import { profilesOfClients } from "../../../contract/engine/settings.ts";
import { requirements } from "../../../generated/requirements.ts";

const all = clientCases("full");

describe("the client suite", () => {
  it("has at most 150 test cases", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(all.length).toBeLessThanOrEqual(150);
  });

  it("verifies every requirement on clients", () => {
    const ids = Object.entries(requirements).flatMap(([id, { kind }]) => (kind === "client" ? [id] : []));
    const verified = requirementsOfCases(all);
    expect(ids.filter((id) => !verified.has(id))).toEqual([]);
  });

  it("has no two cases of a check with the same title", () => {
    const titles = all.map(({ check, testCase }) => `${check.title}: ${testCase.title}`);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it.each(profilesOfClients)("has cases in the profile %s", (profile) => {
    expect(clientCases(profile).length).toBeGreaterThan(20);
  });
});
