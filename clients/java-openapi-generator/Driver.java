import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.ProtocolException;
import java.net.UnknownServiceException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import okhttp3.OkHttpClient;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.AccountApi;
import org.openapitools.client.api.EmailsApi;
import org.openapitools.client.api.NewsletterApi;
import org.openapitools.client.model.*;

/** Lets the client suite call the client: a call per line of standard input, a reply per line of standard output. */
public class Driver {
  interface Operation {
    Object call(Call call) throws ApiException;
  }

  static class NotSent extends RuntimeException {
    NotSent(Throwable cause) {
      super(cause);
    }
  }

  record Call(JsonObject line) {
    String path(String name) {
      return line.getAsJsonObject("path").get(name).getAsString();
    }

    String key() {
      return line.has("idempotencyKey") ? line.get("idempotencyKey").getAsString() : null;
    }

    <T> T body(Class<T> type) {
      try {
        return line.has("body") ? JSON.deserialize(gson.toJson(line.get("body")), type) : null;
      } catch (RuntimeException invalid) {
        throw new NotSent(invalid);
      }
    }
  }

  private static final Gson gson = new GsonBuilder().serializeNulls().create();
  private final Map<String, Operation> operations = new LinkedHashMap<>();
  private final ApiClient client;
  private final OkHttpClient http;

  Driver(ApiClient client) {
    this.client = client;
    http = client.getHttpClient();
    EmailsApi emails = new EmailsApi(client);
    NewsletterApi newsletter = new NewsletterApi(client);
    operations.put("sendEmail", c -> emails.sendEmail(c.body(SendRequest.class), c.key()));
    operations.put("sendBatch", c -> emails.sendBatch(c.body(BatchRequest.class), c.key()));
    operations.put("getEmail", c -> emails.getEmail(c.path("id")));
    operations.put("rescheduleEmail", c -> emails.rescheduleEmail(c.path("id"), c.body(RescheduleRequest.class)));
    operations.put("cancelEmail", c -> emails.cancelEmail(c.path("id")));
    operations.put("listNewsletterLists", c -> newsletter.listNewsletterLists());
    operations.put("listCustomFields", c -> newsletter.listCustomFields());
    operations.put("upsertContact", c -> newsletter.upsertContact(c.body(ContactRequest.class), c.key()));
    operations.put("getContact", c -> newsletter.getContact(c.path("email")));
    operations.put("unsubscribeContact", c -> newsletter.unsubscribeContact(c.path("email"), c.body(UnsubscribeRequest.class)));
    operations.put("getMe", c -> new AccountApi(client).getMe());
  }

  JsonObject replyTo(JsonObject line) {
    OkHttpClient.Builder timed = http.newBuilder();
    if (line.has("timeout")) timed.callTimeout(Duration.ofMillis(line.get("timeout").getAsLong()));
    client.setHttpClient(timed.build());
    JsonObject reply = new JsonObject();
    reply.add("call", line.get("call"));
    try {
      Object result = operations.get(line.get("operation").getAsString()).call(new Call(line));
      reply.add("result", JSON.getGson().toJsonTree(result));
    } catch (ApiException | RuntimeException failure) {
      reply.add("error", error(failure));
    }
    return reply;
  }

  private static JsonObject error(Exception failure) {
    JsonObject error = new JsonObject();
    error.addProperty("kind", kind(failure));
    error.addProperty("message", failure.toString());
    if (!(failure instanceof ApiException response) || response.getCode() < 300) return error;
    ErrorDetail detail = Reliable.errorOf(response.getResponseBody());
    error.addProperty("status", response.getCode());
    error.addProperty("type", detail.getType());
    error.add("fields", gson.toJsonTree(detail.getFields()));
    error.addProperty("requestId", detail.getRequestId());
    return error;
  }

  private static String kind(Exception failure) {
    if (failure instanceof ApiException response && response.getCode() != 0)
      return response.getCode() < 300 ? "unreadable" : "response";
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotSent || cause instanceof UnknownServiceException) return "not sent";
      if (cause instanceof InterruptedIOException) return "timeout";
      if (cause instanceof ProtocolException) return "connection";
    }
    return failure.getCause() instanceof IOException && failure instanceof ApiException ? "connection" : "unreadable";
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    PrintStream output = new PrintStream(System.out, true, "UTF-8");
    JsonObject start = JsonParser.parseString(input.readLine()).getAsJsonObject();
    String baseUrl = start.get("baseUrl").getAsString();
    String key = start.get("key").getAsString();
    boolean reliable = List.of(arguments).contains("--reliable");
    ApiClient client = reliable ? Reliable.client(baseUrl, key) : new ApiClient().setBasePath(baseUrl);
    client.setBearerToken(key);
    Driver driver = new Driver(client);
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("protocol", 1);
    ready.put("client", "openapi-generator java");
    ready.put("operations", driver.operations.keySet());
    ready.put("retries", reliable);
    ready.put("idempotencyKeys", reliable ? "automatic" : "explicit");
    ready.put("timeouts", true);
    ready.put("printed", client.toString());
    output.println(gson.toJson(ready));
    for (String line = input.readLine(); line != null; line = input.readLine())
      output.println(gson.toJson(driver.replyTo(JsonParser.parseString(line).getAsJsonObject())));
    System.exit(0); // the threads of OkHttp would keep the process for a minute
  }
}
