import createClient from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { components, paths } from "../../generated/types.ts";
import { startMock } from "../../scripts/mock/mock.ts";
import type { Mock } from "../../scripts/mock/prism.ts";

describe("the types work with openapi-fetch against the mock", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.close());

  const client = () =>
    createClient<paths>({ baseUrl: mock.url, headers: { Authorization: "Bearer any-key" } });
  const body = { from: "shop@mail.example.com", to: ["ada@example.com"], subject: "Hello", text: "Hello" };

  it("a send gives its data typed", async () => {
    const { data, error } = await client().POST("/api/v1/emails", { body });
    expect(error).toBeUndefined();
    expect(data?.id).toBe("01JD7Q2M4T8VX3W5");
    expectTypeOf(data).toEqualTypeOf<components["schemas"]["SendResponse"] | undefined>();
  });

  it("data is narrowed once the error is excluded, also under 2XX", async () => {
    const response = await client().GET("/api/v1/emails/{id}", { params: { path: { id: "sched_1" } } });
    if (response.error !== undefined) throw new Error(response.error.error.message);
    expectTypeOf(response.data.status).toEqualTypeOf<components["schemas"]["MessageStatus"]>();
    expect(response.data.status).toBe("sent");
  });

  it("an error gives its type, which stays open to values that come later", async () => {
    const { error } = await client().POST("/api/v1/emails", {
      body,
      headers: { Prefer: "code=409, example=idempotency_conflict" },
    });
    expect(error?.error.type).toBe("idempotency_conflict");
    expectTypeOf<"a_type_of_next_year">().toExtend<components["schemas"]["ErrorType"]>();
  });

  it("a body that fits neither variant does not compile", () => {
    type Body = components["schemas"]["SendRequest"];
    expectTypeOf<{ from: string; to: string; subject: string }>().not.toExtend<Body>();
    expectTypeOf<{ from: string; to: string[] }>().not.toExtend<Body>();
  });
});
