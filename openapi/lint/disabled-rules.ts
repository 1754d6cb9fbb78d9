/** The disabled built-in rules, each with the reason and the custom rule in its place if any. */
export const disabledRules: Record<string, string> = {
  "contact-properties": "The contact is a page without an email address. Its name and url stay.",
  "license-url": "The license is named by its SPDX identifier; OpenAPI 3.1 forbids a url beside it.",
  "oas3-operation-security-defined":
    "It rejects roles on a bearer scheme, which OpenAPI 3.1 allows and which name the ability here. Instead: operation-names-ability.",
  "oas3-unused-component":
    "The schema of a page of results is specified, but no operation that returns it. Instead: components-used.",
  "openapi-tags-alphabetical": "Tags are in the order in which a reader needs them, sending first.",
  "owasp:api4:2023-rate-limit":
    "It requires rate-limit headers on errors too, for which they are unspecified. Instead: rate-limit-headers-on-success-only.",
  "owasp:api4:2023-string-limit":
    "It requires maxLength beside format: date-time, where clients in several languages apply it to a parsed time. Instead: strings-bounded.",
  "owasp:api4:2023-string-restricted":
    "Texts for people, names and opaque ids have no pattern; a made-up one would reject what the service accepts. Instead: strings-bounded.",
  "owasp:api8:2023-define-cors-origin":
    "Keys never go into browser code (Authentication 2), and the service specifies no CORS header.",
  "owasp:api8:2023-define-error-validation":
    "Reads and the cancellation take no body, so they have no validation error. Instead: error-rows-have-examples.",
  "owasp:api9:2023-inventory-environment":
    "The one server is a variable that each user sets for any environment.",
};
