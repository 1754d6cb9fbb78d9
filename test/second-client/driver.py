"""Lets the client suite call the client: a call per line of standard input, a reply per line of standard output."""

import json
import sys

from email_api import ApiError, ConnectionLost, EmailApi, TimedOut, Unreadable

CALLS = {
    "sendEmail": lambda api, call, options: api.send_email(call["body"], **options),
    "sendBatch": lambda api, call, options: api.send_batch(call["body"]["emails"], **options),
    "getEmail": lambda api, call, options: api.get_email(call["path"]["id"], **options),
    "rescheduleEmail": lambda api, call, options: api.reschedule_email(
        call["path"]["id"], call["body"]["scheduled_at"], **options
    ),
    "cancelEmail": lambda api, call, options: api.cancel_email(call["path"]["id"], **options),
    "listNewsletterLists": lambda api, call, options: api.list_newsletter_lists(**options),
    "listCustomFields": lambda api, call, options: api.list_custom_fields(**options),
    "upsertContact": lambda api, call, options: api.upsert_contact(call["body"], **options),
    "getContact": lambda api, call, options: api.get_contact(call["path"]["email"], **options),
    "unsubscribeContact": lambda api, call, options: api.unsubscribe_contact(
        call["path"]["email"], call.get("body"), **options
    ),
    "getMe": lambda api, call, options: api.get_me(**options),
}


def options_of(call):
    options = {}
    if "timeout" in call:
        options["timeout"] = call["timeout"] / 1000
    if "idempotencyKey" in call:
        options["idempotency_key"] = call["idempotencyKey"]
    return options


def reply_to(api, call):
    try:
        return {"result": CALLS[call["operation"]](api, call, options_of(call))}
    except ApiError as error:
        detail = {"status": error.status, "type": error.type, "fields": error.fields}
        return failed("response", error, requestId=error.request_id, **detail)
    except ConnectionLost as error:
        return failed("connection", error)
    except TimedOut as error:
        return failed("timeout", error)
    except Unreadable as error:
        return failed("unreadable", error)
    except Exception as error:
        return failed("not sent", error)


def failed(kind, error, **detail):
    return {"error": {"kind": kind, **detail, "message": repr(error)}}


def write(line):
    print(json.dumps(line), flush=True)


start = json.loads(sys.stdin.readline())
api = EmailApi(start["baseUrl"], start["key"])
write(
    {
        "protocol": 1,
        "client": "email_api.py",
        "operations": list(CALLS),
        "retries": True,
        "idempotencyKeys": "automatic",
        "timeouts": True,
        "printed": repr(api),
    }
)
for line in sys.stdin:
    call = json.loads(line)
    write({"call": call["call"], **reply_to(api, call)})
