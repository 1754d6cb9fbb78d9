import { addresses } from "../../generated/operations.ts";
import { frontAnswers } from "../../generated/validators/responses.js";
import { must } from "./broken.ts";
import { call, type Exchange } from "./call.ts";
import { check, leftOut } from "./check.ts";
import { errorOf, hasOneRequestId } from "./error-laws.ts";
import { settings } from "./settings.ts";

const unknownAddress = "an address that does not exist is answered 404 not_found";
const otherMethod = "a method that an address does not take is answered 405, with Allow";

if (settings.profile === "mock") {
  const own = "The server answers this in a form of its own, before it looks at the document.";
  leftOut("ERR-6", unknownAddress, own);
  leftOut(["ERR-7", "HEAD-10"], otherMethod, own);
} else {
  check("ERR-6", unknownAddress, [
    {
      title: "an address beside the others",
      run: async () =>
        isFrontAnswer(await call({ method: "GET", path: "/api/v1/no-such-thing" }), 404, "not_found"),
    },
  ]);
  check(
    ["ERR-7", "HEAD-10"],
    otherMethod,
    Object.entries(addresses).map(([path, methods]) => ({
      title: path,
      run: async () => {
        const exchange = await call({ method: "PUT", path: path.replace(/\{\w+\}/, "any") });
        isFrontAnswer(exchange, 405, "method_not_allowed");
        const allowed = (exchange.headers.allow ?? "").split(",").map((method) => method.trim());
        must(
          methods.every((method) => allowed.includes(method)),
          exchange,
          { expected: `Allow with ${methods.join(", ")}`, found: `Allow: ${exchange.headers.allow}` },
        );
      },
    })),
  );
}

function isFrontAnswer(exchange: Exchange, status: 404 | 405, type: string): void {
  must(exchange.status === status, exchange, {
    expected: `status ${status}`,
    found: `status ${exchange.status}`,
  });
  const fits = frontAnswers[status].body(exchange.json);
  must(fits, exchange, { expected: "the error shape", found: exchange.text.slice(0, 80) });
  must(errorOf(exchange)?.type === type, exchange, {
    expected: `error.type ${type}`,
    found: `error.type ${String(errorOf(exchange)?.type)}`,
  });
  hasOneRequestId(exchange);
}
