import com.squareup.moshi.JsonAdapter
import com.squareup.moshi.JsonReader
import com.squareup.moshi.JsonWriter
import com.squareup.moshi.Moshi
import com.squareup.moshi.Types
import java.lang.reflect.Type
import java.net.UnknownServiceException
import java.time.Duration
import java.util.UUID
import kotlin.math.pow
import kotlin.random.Random
import okhttp3.Interceptor
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.Response
import okhttp3.ResponseBody.Companion.toResponseBody
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.ErrorDetail
import org.openapitools.client.models.ErrorResponse

/** Retries and idempotency keys for a client that OpenAPI Generator generated. */
class Reliable : Interceptor {
    /** Sends a request up to four times if that is safe. */
    override fun intercept(chain: Interceptor.Chain): Response {
        val request = withKey(chain.request())
        if (!request.isHttps && request.url.host !in setOf("127.0.0.1", "localhost"))
            throw UnknownServiceException("the base URL must start with https://")
        val repeatable = request.method == "GET" || request.header("Idempotency-Key") != null
        val deadline = System.nanoTime() + chain.call().timeout().timeoutNanos()
        var attempt = 0
        while (true) {
            attempt++
            var seconds = 0.5 * 2.0.pow(attempt - 1) * Random.nextDouble(0.5, 1.0)
            // A request that got no response may have been processed.
            val outcome = runCatching { complete(chain.proceed(request)) }
            val response = outcome.getOrNull()
            val limited = response != null && response.code == 429 &&
                errorOf(response.peekBody(1 shl 20).string())?.type == "rate_limited"
            if (limited) seconds += retryAfter(response)
            val retry = limited || repeatable && (response == null || response.code in setOf(500, 502, 503))
            if (!retry || attempt == ATTEMPTS || System.nanoTime() + seconds * 1e9 > deadline) return outcome.getOrThrow()
            Thread.sleep((seconds * 1000).toLong())
        }
    }

    /** One key for each piece of work: all attempts have it. */
    private fun withKey(request: Request): Request {
        val takesKey = request.method == "POST" && WITH_KEY.any(request.url.encodedPath::endsWith)
        if (!takesKey || request.header("Idempotency-Key") != null) return request
        return request.newBuilder().header("Idempotency-Key", UUID.randomUUID().toString()).build()
    }

    /** Reads the whole body, so that a connection that is lost within it is noticed here. */
    private fun complete(response: Response): Response =
        response.newBuilder().body(response.body.bytes().toResponseBody(response.body.contentType())).build()

    private fun retryAfter(response: Response): Double {
        val date = response.headers.getDate("Retry-After")
        if (date != null) return maxOf(0.0, (date.time - System.currentTimeMillis()) / 1000.0)
        return response.header("Retry-After")?.toDoubleOrNull() ?: 60.0
    }

    companion object {
        private const val ATTEMPTS = 4
        private val WITH_KEY = setOf("/v1/emails", "/v1/emails/batch", "/v1/newsletter/contacts")

        /** An HTTP client whose calls end after two minutes, with all attempts and pauses. */
        fun http(): OkHttpClient {
            Serializer.moshiBuilder.add(KeepNulls)
            return OkHttpClient.Builder()
                .addInterceptor(Reliable())
                .addNetworkInterceptor(::withoutRetryAfter)
                .retryOnConnectionFailure(false) // OkHttp also repeats what is not safe to repeat
                .followRedirects(false)
                .readTimeout(Duration.ofSeconds(30))
                .callTimeout(Duration.ofMinutes(2))
                .build()
        }

        /** OkHttp repeats any request after a 503 with `Retry-After: 0`. */
        private fun withoutRetryAfter(chain: Interceptor.Chain): Response {
            val response = chain.proceed(chain.request())
            return if (response.code == 503) response.newBuilder().removeHeader("Retry-After").build() else response
        }

        /** The error of a response; null if the body is no error of the API. */
        fun errorOf(body: Any?): ErrorDetail? =
            runCatching { Serializer.moshi.adapter(ErrorResponse::class.java).fromJson(body as String)?.error }.getOrNull()
    }
}

/** Sends null in `fields`, which clears a field. */
private object KeepNulls : JsonAdapter.Factory {
    private val fields = Types.newParameterizedType(Map::class.java, String::class.java, Any::class.java)

    override fun create(type: Type, annotations: Set<Annotation>, moshi: Moshi): JsonAdapter<*>? {
        if (type != fields) return null
        val generated = moshi.nextAdapter<Any>(this, type, annotations)
        return object : JsonAdapter<Any>() {
            override fun fromJson(reader: JsonReader) = generated.fromJson(reader)

            override fun toJson(writer: JsonWriter, value: Any?) =
                (if (value == null) generated else generated.serializeNulls()).toJson(writer, value)
        }
    }
}
