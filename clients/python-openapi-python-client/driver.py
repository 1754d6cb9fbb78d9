"""Lets the client suite call the client: a call per line of standard input, a reply per line of standard output."""

import json
import sys
from importlib.metadata import version

import httpx
from email_api_client import AuthenticatedClient
from email_api_client.api.account import get_me
from email_api_client.api.emails import cancel_email, get_email, reschedule_email, send_batch, send_email
from email_api_client.api.newsletter import (
    get_contact,
    list_custom_fields,
    list_newsletter_lists,
    unsubscribe_contact,
    upsert_contact,
)
from email_api_client.models import (
    BatchRequest,
    ContactRequest,
    ContentSend,
    ErrorResponse,
    RescheduleRequest,
    TemplateSend,
    UnsubscribeRequest,
)
from email_api_client.types import UNSET
from reliable import EmailApiError, reliable_client


def send_body(body):
    return (TemplateSend if "template_id" in body else ContentSend).from_dict(body)


# The module of each operation, and what its body is created with.
OPERATIONS = {
    "sendEmail": (send_email, send_body),
    "sendBatch": (send_batch, BatchRequest.from_dict),
    "getEmail": (get_email, None),
    "rescheduleEmail": (reschedule_email, RescheduleRequest.from_dict),
    "cancelEmail": (cancel_email, None),
    "listNewsletterLists": (list_newsletter_lists, None),
    "listCustomFields": (list_custom_fields, None),
    "upsertContact": (upsert_contact, ContactRequest.from_dict),
    "getContact": (get_contact, None),
    "unsubscribeContact": (unsubscribe_contact, UnsubscribeRequest.from_dict),
    "getMe": (get_me, None),
}


def arguments_of(call):
    create_body = OPERATIONS[call["operation"]][1]
    arguments = dict(call.get("path", {}))
    if "body" in call:
        arguments["body"] = create_body(call["body"])
    if "idempotencyKey" in call:
        arguments["idempotency_key"] = call["idempotencyKey"]
    return arguments


def reply_to(call, client):
    try:
        arguments = arguments_of(call)
    except Exception as error:
        return {"error": {"kind": "not sent", "message": repr(error)}}
    try:
        module = OPERATIONS[call["operation"]][0]
        response = module.sync_detailed(client=client, **arguments)
    except EmailApiError as error:
        detail = {"status": error.status, "type": error.type, "fields": error.fields}
        return {"error": {"kind": "response", **detail, "requestId": error.request_id, "message": repr(error)}}
    except httpx.TimeoutException as error:
        return {"error": {"kind": "timeout", "message": repr(error)}}
    except httpx.TransportError as error:
        return {"error": {"kind": "connection", "message": repr(error)}}
    except httpx.InvalidURL as error:
        return {"error": {"kind": "not sent", "message": repr(error)}}
    except Exception as error:
        return {"error": {"kind": "unreadable", "message": repr(error)}}
    return reply_from(response)


def reply_from(response):
    if response.status_code < 300:
        return {"result": None if response.parsed is None else response.parsed.to_dict()}
    detail = {"kind": "response", "status": response.status_code, "message": repr(response.parsed)}
    if isinstance(response.parsed, ErrorResponse):
        error = response.parsed.error
        fields = None if error.fields is UNSET else error.fields.to_dict()
        detail |= {"type": error.type_, "fields": fields, "requestId": error.request_id}
    return {"error": detail}


def write(line):
    print(json.dumps(line), flush=True)


reliable = "--reliable" in sys.argv
start = json.loads(sys.stdin.readline())
create = reliable_client if reliable else lambda url, key: AuthenticatedClient(base_url=url, token=key)
client = create(start["baseUrl"], start["key"])
write(
    {
        "protocol": 1,
        "client": f"openapi-python-client {version('openapi-python-client')}",
        "operations": list(OPERATIONS),
        "retries": reliable,
        "idempotencyKeys": "automatic" if reliable else "explicit",
        "timeouts": True,
        "printed": repr(client),
    }
)
for line in sys.stdin:
    call = json.loads(line)
    caller = client
    if "timeout" in call:
        # `with_timeout` would also change the client that it is called on.
        caller = create(start["baseUrl"], start["key"]).with_timeout(httpx.Timeout(call["timeout"] / 1000))
    write({"call": call["call"], **reply_to(call, caller)})
