"""Makes a client testable: reads a call per line, calls the client, writes a reply per line.

Put your client in place of the class Client, and an entry for each of its operations into OPERATIONS.
Log to standard error: standard output is for the replies.
"""

import json
import sys
import urllib.error
import urllib.request


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: another host must not get the key."""

    def redirect_request(self, *_):
        return None


class Client:
    """Stands for your client, with one operation."""

    def __init__(self, base_url, key):
        self.base_url, self.key = base_url, key

    def get_me(self, timeout=None):
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "application/json"}
        request = urllib.request.Request(self.base_url + "/api/v1/me", headers=headers)
        with urllib.request.build_opener(NoRedirects).open(request, timeout=timeout) as response:
            return json.load(response)


# Each operation of the client: a function that returns the response body with the property names of the API. A call can have
# `path`, `body`, `idempotencyKey` and `timeout` (milliseconds), for example:
#   "sendEmail": lambda call: client.send(call["body"], idempotency_key=call.get("idempotencyKey")),
#   "getContact": lambda call: client.get_contact(call["path"]["email"]),
OPERATIONS = {
    "getMe": lambda call: client.get_me(timeout=seconds(call)),
}


def seconds(call):
    return call["timeout"] / 1000 if "timeout" in call else None


def reply_to(call):
    try:
        return {"result": OPERATIONS[call["operation"]](call)}
    except urllib.error.HTTPError as error:  # the service responded with an error
        return {"error": {"kind": "response", "status": error.code, "message": repr(error), **details_of(error)}}
    except TimeoutError as error:
        return {"error": {"kind": "timeout", "message": repr(error)}}
    except ValueError as error:  # the client could not read the response
        return {"error": {"kind": "unreadable", "message": repr(error)}}
    except Exception as error:
        return {"error": {"kind": "connection", "message": repr(error)}}


def details_of(error):
    """What your client tells of an error response."""
    try:
        detail = json.load(error)["error"]
        return {"type": detail["type"], "fields": detail.get("fields"), "requestId": detail["request_id"]}
    except (ValueError, LookupError, TypeError):
        return {"type": None}


def write(line):
    print(json.dumps(line), flush=True)


start = json.loads(sys.stdin.readline())
client = Client(start["baseUrl"], start["key"])
write(
    {
        "protocol": 1,
        "client": "my client 1.0",
        "implementation": {"name": "my client", "version": "1.0"},  # for --publish
        "operations": list(OPERATIONS),
        "retries": False,  # whether the client sends a failed request again
        "idempotencyKeys": "explicit",  # "automatic" if it creates them
        "timeouts": True,  # whether it ends a call after `timeout`
        "printed": repr(client),
    }
)
for line in sys.stdin:
    call = json.loads(line)
    write({"call": call["call"], **reply_to(call)})
