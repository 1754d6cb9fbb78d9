"""A client of the email API on the standard library alone: it shares no code with the project's own client."""

import email.utils
import http.client
import json
import random
import time
import urllib.parse
import uuid


class ApiError(Exception):
    """An error response. Branch on `status` and `type`; the message is for people."""

    def __init__(self, status, headers, body):
        detail = error_in(body)
        self.status = status
        self.type = text_or_none(detail.get("type"))
        self.fields = detail.get("fields") if isinstance(detail.get("fields"), dict) else None
        self.request_id = text_or_none(detail.get("request_id")) or headers.get("X-Service-Request-Id")
        self.retry_after = seconds_in(headers.get("Retry-After"))
        super().__init__(f"{status} {self.type}: {detail.get('message')} (request {self.request_id})")


class ConnectionLost(Exception):
    """There was no complete response. The operation may have succeeded."""


class TimedOut(Exception):
    """The time was up before the response was complete. The operation may have succeeded."""


class Unreadable(Exception):
    """A success whose body is not a JSON object. The operation most likely succeeded."""


def text_or_none(value):
    return value if isinstance(value, str) else None


def error_in(body):
    """The error object of a body; empty if there is none: a 500 may have no body, and a gateway sends HTML."""
    try:
        detail = json.loads(body)["error"]
    except (ValueError, LookupError, TypeError):
        return {}
    return detail if isinstance(detail, dict) else {}


def seconds_in(retry_after):
    """The header in seconds, which a proxy may write as a date; 0 without one."""
    if retry_after is None:
        return 0
    try:
        return max(0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (ValueError, TypeError):
        return 0


class EmailApi:
    """Calls end after `timeout` seconds, with all attempts and pauses. Printing the client does not show the API key."""

    def __init__(self, base_url, key, timeout=60, attempts=4):
        url = urllib.parse.urlsplit(base_url)
        if url.scheme != "https" and url.hostname not in ("127.0.0.1", "localhost"):
            raise ValueError("base_url must start with https://")
        self._url = url
        self._key = key
        self._timeout = timeout
        self._attempts = attempts

    def __repr__(self):
        return f"EmailApi({self._url.geturl()})"

    def send_email(self, message, idempotency_key=None, **options):
        return self._write("/emails", message, idempotency_key, **options)

    def send_batch(self, emails, idempotency_key=None, **options):
        return self._write("/emails/batch", {"emails": emails}, idempotency_key, **options)

    def get_email(self, id, **options):
        return self._call("GET", f"/emails/{quoted(id)}", **options)

    def reschedule_email(self, id, scheduled_at, **options):
        return self._call("PATCH", f"/emails/{quoted(id)}", {"scheduled_at": scheduled_at}, **options)

    def cancel_email(self, id, **options):
        return self._call("DELETE", f"/emails/{quoted(id)}", **options)

    def list_newsletter_lists(self, **options):
        return self._call("GET", "/newsletter/lists", **options)

    def list_custom_fields(self, **options):
        return self._call("GET", "/newsletter/fields", **options)

    def upsert_contact(self, contact, idempotency_key=None, **options):
        return self._write("/newsletter/contacts", contact, idempotency_key, **options)

    def get_contact(self, email, **options):
        return self._call("GET", f"/newsletter/contacts/{quoted(email)}", **options)

    def unsubscribe_contact(self, email, request=None, **options):
        path = f"/newsletter/contacts/{quoted(email)}/unsubscribe"
        return self._call("POST", path, {} if request is None else request, **options)

    def get_me(self, **options):
        return self._call("GET", "/me", **options)

    def _write(self, path, body, idempotency_key, **options):
        # One key for each piece of work: all attempts have it.
        return self._call("POST", path, body, idempotency_key or str(uuid.uuid4()), **options)

    def _call(self, method, path, body=None, idempotency_key=None, timeout=None):
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        data = None
        if body is not None:
            data = json.dumps(body, ensure_ascii=False).encode()
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        is_repeatable = method == "GET" or idempotency_key is not None
        deadline = time.monotonic() + (self._timeout if timeout is None else timeout)
        for attempt in range(1, self._attempts + 1):
            pause = 0.4 * 2 ** (attempt - 1) * random.uniform(1, 1.25)
            try:
                return self._attempt(method, "/api/v1" + path, data, headers, deadline)
            except ApiError as failed:
                error = failed
                if failed.status == 429 and failed.type == "rate_limited":
                    pause += failed.retry_after
                elif failed.status not in (500, 502, 503) or not is_repeatable:
                    raise
            except ConnectionLost as lost:
                error = lost
                if not is_repeatable:
                    raise
            if attempt == self._attempts or time.monotonic() + pause >= deadline:
                raise error
            time.sleep(pause)

    def _attempt(self, method, path, data, headers, deadline):
        """Sends one request on a connection of its own; redirects are not followed."""
        is_secure = self._url.scheme == "https"
        create = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
        connection = create(self._url.hostname, self._url.port, timeout=remaining(deadline))
        try:
            connection.request(method, self._url.path.rstrip("/") + path, data, headers)
            # The connection forgets its socket when the server closes it after the response.
            channel = connection.sock
            channel.settimeout(remaining(deadline))
            response = connection.getresponse()
            body = read_all(response, channel, deadline)
        except TimeoutError as late:
            raise TimedOut("the time is up") from late
        except (OSError, http.client.HTTPException) as lost:
            raise ConnectionLost(f"{type(lost).__name__}: {lost}") from lost
        finally:
            connection.close()
        if not 200 <= response.status < 300:
            # A gateway may repeat the headers of a request.
            shown = body.decode(errors="replace").replace(self._key, "***")
            raise ApiError(response.status, response.headers, shown)
        try:
            result = json.loads(body)
        except ValueError as unreadable:
            raise Unreadable(f"a {response.status} whose body is not JSON") from unreadable
        if not isinstance(result, dict):
            raise Unreadable(f"a {response.status} whose body is not an object")
        return result


def remaining(deadline):
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimedOut("the time is up")
    return seconds


def read_all(response, channel, deadline):
    """Reads the body in parts, so that a slow one does not pass the deadline."""
    chunks = []
    while not response.isclosed():
        channel.settimeout(remaining(deadline))
        chunk = response.read1(65536)
        if not chunk:
            break
        chunks.append(chunk)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(chunks)


def quoted(value):
    if value in ("", ".", ".."):
        raise ValueError("a path parameter must not be empty, . or ..")
    return urllib.parse.quote(value, safe="")
