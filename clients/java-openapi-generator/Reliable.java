import com.google.gson.JsonParseException;
import java.io.IOException;
import java.net.UnknownServiceException;
import java.time.Duration;
import java.util.Date;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ErrorDetail;
import org.openapitools.client.model.ErrorResponse;

/** Retries and idempotency keys for a client that OpenAPI Generator generated. */
public class Reliable implements Interceptor {
  private static final int ATTEMPTS = 4;
  private static final Set<String> WITH_KEY = Set.of("/v1/emails", "/v1/emails/batch", "/v1/newsletter/contacts");

  /** A client whose calls end after two minutes, with all attempts and pauses. */
  public static ApiClient client(String baseUrl, String key) {
    Nulls.send();
    OkHttpClient http = new OkHttpClient.Builder()
        .addInterceptor(new Reliable())
        .addNetworkInterceptor(Reliable::withoutRetryAfter)
        .retryOnConnectionFailure(false) // OkHttp also repeats what is not safe to repeat
        .followRedirects(false)
        .readTimeout(Duration.ofSeconds(30))
        .callTimeout(Duration.ofMinutes(2))
        .build();
    ApiClient client = new ApiClient(http).setBasePath(baseUrl);
    client.setBearerToken(key);
    return client;
  }

  /** The error of a response; without a type if the body is no error of the API. */
  public static ErrorDetail errorOf(String body) {
    try {
      return Objects.requireNonNull(ErrorResponse.fromJson(body).getError());
    } catch (IOException | RuntimeException unreadable) {
      return new ErrorDetail();
    }
  }

  /** Sends a request up to four times if that is safe. */
  @Override
  public Response intercept(Chain chain) throws IOException {
    Request request = withKey(chain.request());
    if (!request.isHttps() && !Set.of("127.0.0.1", "localhost").contains(request.url().host()))
      throw new UnknownServiceException("the base URL must start with https://");
    boolean repeatable = request.method().equals("GET") || request.header("Idempotency-Key") != null;
    long deadline = System.nanoTime() + chain.call().timeout().timeoutNanos();
    for (int attempt = 1; ; attempt++) {
      double seconds = 0.5 * Math.pow(2, attempt - 1) * (0.5 + Math.random() / 2);
      Response response = null;
      IOException lost = null;
      boolean retry = repeatable;
      try {
        response = complete(chain.proceed(request));
        retry = repeatable && Set.of(500, 502, 503).contains(response.code());
        if (isRateLimited(response)) {
          retry = true;
          seconds += retryAfter(response);
        }
      } catch (IOException error) { // the request may have been processed
        lost = error;
      }
      boolean late = System.nanoTime() + seconds * 1e9 > deadline;
      if (!retry || late || attempt == ATTEMPTS) {
        if (lost != null) throw lost;
        return response;
      }
      pause(seconds);
    }
  }

  /** One key for each piece of work: all attempts have it. */
  private static Request withKey(Request request) {
    boolean takesKey = request.method().equals("POST") && WITH_KEY.stream().anyMatch(request.url().encodedPath()::endsWith);
    if (!takesKey || request.header("Idempotency-Key") != null) return request;
    return request.newBuilder().header("Idempotency-Key", UUID.randomUUID().toString()).build();
  }

  /** Reads the whole body, so that a connection that is lost within it is noticed here. */
  private static Response complete(Response response) throws IOException {
    ResponseBody body = response.body();
    byte[] bytes = body.bytes();
    if (response.isSuccessful() && bytes.length == 0) throw new JsonParseException("a success without a body");
    return response.newBuilder().body(ResponseBody.create(bytes, body.contentType())).build();
  }

  /** OkHttp repeats any request after a 503 with `Retry-After: 0`. */
  private static Response withoutRetryAfter(Chain chain) throws IOException {
    Response response = chain.proceed(chain.request());
    return response.code() == 503 ? response.newBuilder().removeHeader("Retry-After").build() : response;
  }

  private static boolean isRateLimited(Response response) throws IOException {
    return response.code() == 429 && "rate_limited".equals(errorOf(response.peekBody(1 << 20).string()).getType());
  }

  private static double retryAfter(Response response) {
    String value = response.header("Retry-After", "60");
    Date date = response.headers().getDate("Retry-After");
    if (date != null) return Math.max(0, (date.getTime() - System.currentTimeMillis()) / 1000.0);
    return value.matches("\\d{1,9}") ? Integer.parseInt(value) : 60;
  }

  private static void pause(double seconds) throws IOException {
    try {
      Thread.sleep((long) (seconds * 1000));
    } catch (InterruptedException interrupted) {
      throw new IOException(interrupted);
    }
  }
}
