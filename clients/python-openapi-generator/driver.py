"""Lets the client suite call the client: a call per line of standard input, a reply per line of standard output."""

import json
import sys

import urllib3
from openapi_client import (
    AccountApi,
    ApiClient,
    ApiException,
    BatchRequest,
    Configuration,
    ContactRequest,
    EmailsApi,
    ErrorResponse,
    FieldValue,
    NewsletterApi,
    RescheduleRequest,
    SendRequest,
    UnsubscribeRequest,
)

reliable = "--reliable" in sys.argv
start = json.loads(sys.stdin.readline())
if reliable:
    # Not imported otherwise, because it changes the generated code.
    from reliable import ReliableClient, detail_of

    client = ReliableClient(start["baseUrl"], start["key"])
else:
    client = ApiClient(Configuration(host=start["baseUrl"], access_token=start["key"]))
emails, newsletter, account = EmailsApi(client), NewsletterApi(client), AccountApi(client)


def contact(body):
    values = body.pop("fields", None)
    request = ContactRequest.from_dict(body)
    if values is not None:
        request.fields = {key: None if value is None else FieldValue(value) for key, value in values.items()}
    return request


# The method of each operation, and what creates its body, with the name of the parameter.
OPERATIONS = {
    "sendEmail": (emails.send_email, SendRequest.from_dict, "send_request"),
    "sendBatch": (emails.send_batch, BatchRequest.from_dict, "batch_request"),
    "getEmail": (emails.get_email, None, None),
    "rescheduleEmail": (emails.reschedule_email, RescheduleRequest.from_dict, "reschedule_request"),
    "cancelEmail": (emails.cancel_email, None, None),
    "listNewsletterLists": (newsletter.list_newsletter_lists, None, None),
    "listCustomFields": (newsletter.list_custom_fields, None, None),
    "upsertContact": (newsletter.upsert_contact, contact, "contact_request"),
    "getContact": (newsletter.get_contact, None, None),
    "unsubscribeContact": (newsletter.unsubscribe_contact, UnsubscribeRequest.from_dict, "unsubscribe_request"),
    "getMe": (account.get_me, None, None),
}


def arguments_of(call):
    _, create_body, name = OPERATIONS[call["operation"]]
    arguments = dict(call.get("path", {}))
    if "body" in call:
        arguments[name] = create_body(call["body"])
    if "idempotencyKey" in call:
        arguments["idempotency_key"] = call["idempotencyKey"]
    if "timeout" in call:
        arguments["_request_timeout"] = call["timeout"] / 1000
    return arguments


def is_timeout(error):
    return isinstance(getattr(error, "reason", error), urllib3.exceptions.TimeoutError)


def reply_to(call):
    try:
        arguments = arguments_of(call)
    except Exception as error:
        return {"error": {"kind": "not sent", "message": repr(error)}}
    try:
        result = OPERATIONS[call["operation"]][0](**arguments)
    except ApiException as error:
        return {"error": error_from(error)}
    except urllib3.exceptions.HTTPError as error:
        return {"error": {"kind": "timeout" if is_timeout(error) else "connection", "message": str(error)}}
    except Exception as error:
        return {"error": {"kind": "unreadable", "message": repr(error)}}
    return {"result": json.loads(result.to_json()) if hasattr(result, "to_json") else result}


def error_from(error):
    known = {"kind": "response", "status": error.status, "message": str(error)}
    if reliable:
        detail = detail_of(error)
    else:
        detail = error.data.error.to_dict() if isinstance(error.data, ErrorResponse) else {}
    return known | {"type": detail.get("type"), "fields": detail.get("fields"), "requestId": detail.get("request_id")}


def write(line):
    print(json.dumps(line), flush=True)


write(
    {
        "protocol": 1,
        "client": "openapi-generator python 7.25.0",
        "operations": list(OPERATIONS),
        "retries": reliable,
        "idempotencyKeys": "automatic" if reliable else "explicit",
        "timeouts": True,
        "printed": repr(client),
    }
)
for line in sys.stdin:
    call = json.loads(line)
    write({"call": call["call"], **reply_to(call)})
