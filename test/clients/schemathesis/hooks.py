"""Hooks of Schemathesis: what a schema cannot say about valid requests.

They take values that an account must have from the examples of the document, and count the accepted requests.
"""

import atexit
import itertools
import json
import os
from collections import Counter

import schemathesis

OF_ACCOUNT = {"from", "template_id", "list_id", "fields", "scheduled_at", "content", "path"}
RECIPIENT = "ada@readers.example"

with open(os.environ["DOCUMENT"], encoding="utf-8") as file:
    document = json.load(file)


def values_by_name(node):
    """Every property in a JSON value with its value, from the outside in."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield name, value
            yield from values_by_name(value)
    elif isinstance(node, list):
        for item in node:
            yield from values_by_name(item)


def request_examples():
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    bodies = [one["requestBody"] for one in operations if "requestBody" in one]
    return [bodies, document["components"].get("examples", {})]


examples = [value for name, value in values_by_name(request_examples()) if name == "value"]
# The first example of each counts.
known = {name: value for name, value in reversed(list(values_by_name(examples))) if name in OF_ACCOUNT}


def fitted(body):
    """A valid body with values that the account has."""
    if isinstance(body, list):
        return [fitted(item) for item in body]
    if not isinstance(body, dict):
        return body
    changed = {name: known.get(name, fitted(value)) for name, value in body.items()}
    if changed.get("to") == []:  # whether it may be empty is unspecified
        changed["to"] = [RECIPIENT]
    return changed


numbers = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    if isinstance(case.body, dict):
        case.body = fitted(case.body)
    if case.headers.get("Idempotency-Key"):
        # As a client does: another key for each request.
        case.headers["Idempotency-Key"] = f"request-{next(numbers)}"
    if meta.phase.name.value == "stateful" and case.operation.label == "POST /api/v1/emails":
        # Only a scheduled message can be rescheduled and canceled.
        case.body.setdefault("scheduled_at", known["scheduled_at"])


accepted = Counter()


@schemathesis.hook
def after_call(context, case, response):
    accepted[case.operation.definition.raw["operationId"]] += response.status_code < 300


@atexit.register
def report():
    with open(os.environ["ACCEPTED"], "w", encoding="utf-8") as file:
        json.dump(accepted, file)
