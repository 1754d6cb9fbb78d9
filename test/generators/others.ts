import type { Generator } from "./generator.ts";

const install = (packages: string): string =>
  `python3 -m venv .venv && . .venv/bin/activate && pip install -q ${packages}`;

export const others: Generator[] = [
  {
    name: "openapi-python-client",
    version: "0.29.1",
    language: "Python",
    needs: ["python3"],
    document: "openapi.json",
    install: install("openapi-python-client==0.29.1"),
    generate: "openapi-python-client generate --path openapi.json",
    compile:
      "pip install -q ./email-api-client && python -c 'from email_api_client.api.emails import send_email'",
  },
  {
    name: "datamodel-code-generator",
    version: "0.89.0",
    language: "Python",
    needs: ["python3"],
    document: "openapi.json",
    install: install("datamodel-code-generator==0.89.0 'pydantic[email]'"),
    generate: "datamodel-codegen --input openapi.json --output models.py",
    compile: "python -c 'import models'",
  },
  {
    name: "oapi-codegen",
    version: "2.8.2",
    language: "Go",
    needs: ["go"],
    document: "openapi.json",
    install:
      "go mod init client && go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2",
    generate: "oapi-codegen -o client.go openapi.json",
    compile: "go mod tidy && go build ./...",
  },
  {
    name: "progenitor",
    version: "0.15.1",
    language: "Rust",
    needs: ["cargo"],
    document: "openapi-3.0.json",
    note: "reads only OpenAPI 3.0, and needs a name and a version for the client.",
    install: "cargo install -q cargo-progenitor@0.15.1",
    generate: "cargo progenitor -i openapi-3.0.json -o client -n email-api -v 1.0.0",
    compile: "cargo check -q --manifest-path client/Cargo.toml",
  },
];
