import com.squareup.moshi.JsonDataException
import com.squareup.moshi.JsonEncodingException
import java.io.IOException
import java.io.InterruptedIOException
import java.net.UnknownServiceException
import java.time.Duration
import kotlin.system.exitProcess
import okhttp3.OkHttpClient
import org.openapitools.client.apis.AccountApi
import org.openapitools.client.apis.EmailsApi
import org.openapitools.client.apis.NewsletterApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.infrastructure.ServerError
import org.openapitools.client.infrastructure.ServerException
import org.openapitools.client.models.*

// Lets the client suite call the client: a call per line of standard input, a reply per line of standard output.

private class NotSent(cause: Throwable) : Exception(cause)

private val json by lazy { Serializer.moshi.adapter(Any::class.java) }

private class Call(val line: Map<*, *>, val baseUrl: String, val http: OkHttpClient) {
    val emails get() = EmailsApi(baseUrl, http)
    val newsletter get() = NewsletterApi(baseUrl, http)
    val key get() = line["idempotencyKey"] as String?
    val id get() = path("id")
    val email get() = path("email")

    private fun path(name: String) = (line["path"] as Map<*, *>)[name] as String

    inline fun <reified T> body(): T? = try {
        line["body"]?.let { Serializer.moshi.adapter(T::class.java).fromJson(json.serializeNulls().toJson(it)) }
    } catch (error: JsonDataException) {
        throw NotSent(error)
    }
}

private val operations = mapOf<String, (Call) -> Any?>(
    "sendEmail" to { it.emails.sendEmail(it.body()!!, it.key) },
    "sendBatch" to { it.emails.sendBatch(it.body()!!, it.key) },
    "getEmail" to { it.emails.getEmail(it.id) },
    "rescheduleEmail" to { it.emails.rescheduleEmail(it.id, it.body()!!) },
    "cancelEmail" to { it.emails.cancelEmail(it.id) },
    "listNewsletterLists" to { it.newsletter.listNewsletterLists() },
    "listCustomFields" to { it.newsletter.listCustomFields() },
    "upsertContact" to { it.newsletter.upsertContact(it.body()!!, it.key) },
    "getContact" to { it.newsletter.getContact(it.email) },
    "unsubscribeContact" to { it.newsletter.unsubscribeContact(it.email, it.body()) },
    "getMe" to { AccountApi(it.baseUrl, it.http).getMe() },
)

private fun responseError(status: Int, body: Any?): Map<String, Any?> {
    val detail = Reliable.errorOf(body)
    return mapOf("kind" to "response", "status" to status, "type" to detail?.type, "fields" to detail?.fields, "requestId" to detail?.requestId)
}

private fun errorOf(failure: Exception): Map<String, Any?> = when (failure) {
    is ClientException -> responseError(failure.statusCode, (failure.response as ClientError<*>).body)
    is ServerException -> responseError(failure.statusCode, (failure.response as ServerError<*>).body)
    is NotSent, is UnknownServiceException -> mapOf("kind" to "not sent")
    is InterruptedIOException -> mapOf("kind" to "timeout")
    is JsonEncodingException -> mapOf("kind" to "unreadable")
    is IOException -> mapOf("kind" to "connection")
    else -> mapOf("kind" to "unreadable")
} + ("message" to failure.toString())

private fun replyTo(line: Map<*, *>, baseUrl: String, http: OkHttpClient): Map<String, Any?> {
    val timeout = line["timeout"] as Double?
    val timed = if (timeout == null) http else http.newBuilder().callTimeout(Duration.ofMillis(timeout.toLong())).build()
    return try {
        mapOf("call" to line["call"], "result" to operations.getValue(line["operation"] as String)(Call(line, baseUrl, timed)))
    } catch (failure: Exception) {
        mapOf("call" to line["call"], "error" to errorOf(failure))
    }
}

fun main(arguments: Array<String>) {
    val reliable = "--reliable" in arguments
    val http = if (reliable) Reliable.http() else ApiClient.defaultClient
    val start = json.fromJson(readln()) as Map<*, *>
    val baseUrl = start["baseUrl"] as String
    ApiClient.accessToken = start["key"] as String
    val ready = mapOf(
        "protocol" to 1,
        "client" to "openapi-generator kotlin",
        "operations" to operations.keys,
        "retries" to reliable,
        "idempotencyKeys" to if (reliable) "automatic" else "explicit",
        "timeouts" to true,
        "printed" to EmailsApi(baseUrl, http).toString(),
    )
    println(json.toJson(ready))
    while (true) println(json.toJson(replyTo(json.fromJson(readlnOrNull() ?: break) as Map<*, *>, baseUrl, http)))
    exitProcess(0) // the threads of OkHttp would keep the process for a minute
}
