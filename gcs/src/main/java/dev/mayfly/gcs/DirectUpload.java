package dev.mayfly.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.api.client.googleapis.json.GoogleJsonErrorContainer;
import com.google.api.client.json.JsonFactory;
import com.google.api.client.json.JsonParser;
import com.google.api.client.json.JsonToken;
import com.google.api.client.json.gson.GsonFactory;
import com.google.auth.Credentials;
import com.google.cloud.storage.StorageException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The first try of a small upload: one request of the JSON API, without the official client, whose
 * way to it costs several times as much processor time as the request. What is neither stored nor
 * met by another generation, the caller sends again by the official client, which refreshes logins,
 * repeats and waits, and whose refusal counts. That is safe, because an upload names the generation
 * that it replaces.
 */
final class DirectUpload {
  private static final System.Logger LOG = System.getLogger(DirectUpload.class.getName());

  /** As long as the official client waits. */
  private static final int TIMEOUT_MILLIS = 20_000;

  private static final JsonFactory JSON = GsonFactory.getDefaultInstance();
  private static final String FIELDS = "generation,size,crc32c,metadata,updated";

  private final String host;
  private final Optional<Credentials> credentials;
  private final ResentUploads resentUploads = new ResentUploads();
  private final String boundary = "mayfly-" + UUID.randomUUID();

  /**
   * @param host the endpoint, with or without a slash at its end
   */
  DirectUpload(String host, Optional<Credentials> credentials) {
    this.host = host.endsWith("/") ? host.substring(0, host.length() - 1) : host;
    this.credentials = credentials;
  }

  /**
   * What is stored now; empty if that is not known. Throws {@link StorageException} as the official
   * client does.
   *
   * @param generation the one to replace, or {@link GcsUpload#NONE}
   */
  Optional<ObjectInfo> send(GcsUpload upload, long generation, Optional<String> payer) {
    try {
      var connection =
          (HttpURLConnection) address(upload, generation, payer).toURL().openConnection();
      if (answered(connection, upload))
        return Optional.of(stored(upload.url(), connection.getInputStream()));
      var status = connection.getResponseCode();
      // Of others the official client's refusal tells.
      if (isPassing(status)) resent(upload, "HTTP status " + status);
    } catch (IOException | IllegalArgumentException | DateTimeException e) {
      resent(upload, e.toString());
    }
    return Optional.empty();
  }

  private void resent(GcsUpload upload, String why) {
    resentUploads
        .add(upload.url(), why, System.nanoTime())
        .ifPresent(words -> LOG.log(System.Logger.Level.WARNING, words));
  }

  /** Whether another try may be answered otherwise. */
  static boolean isPassing(int status) {
    return switch (status) {
      case HttpURLConnection.HTTP_UNAUTHORIZED, HttpURLConnection.HTTP_CLIENT_TIMEOUT, 429 -> true;
      default -> status >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    };
  }

  private URI address(GcsUpload upload, long generation, Optional<String> payer) {
    return URI.create(
        "%s/upload/storage/v1/b/%s/o?uploadType=multipart&ifGenerationMatch=%d&fields=%s%s"
            .formatted(
                host,
                encoded(BlobMapper.id(upload.url()).getBucket()),
                generation,
                encoded(FIELDS),
                payer.map(project -> "&userProject=" + encoded(project)).orElse("")));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private boolean answered(HttpURLConnection connection, GcsUpload upload) throws IOException {
    var body = body(upload);
    if (credentials.isPresent())
      credentials
          .get()
          .getRequestMetadata(URI.create(host))
          .forEach((name, values) ->
              values.forEach(value -> connection.addRequestProperty(name, value)));
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "multipart/related; boundary=" + boundary);
    connection.setRequestProperty("User-Agent", "mayfly");
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setInstanceFollowRedirects(false);
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(body.length);
    try (var out = connection.getOutputStream()) {
      out.write(body);
    }
    var status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_OK) return true;
    // Read to its end, an answer leaves the connection for the next call.
    var answer = read(connection.getErrorStream());
    if (status == HttpURLConnection.HTTP_PRECON_FAILED) throw refusal(answer);
    return false;
  }

  private static byte[] read(@Nullable InputStream answer) throws IOException {
    if (answer == null) return new byte[0];
    try (answer) {
      return answer.readAllBytes();
    }
  }

  /** Throws {@link IllegalArgumentException} if it is not the service that answered. */
  private static StorageException refusal(byte[] answer) throws IOException {
    var told =
        JSON.fromInputStream(
                new ByteArrayInputStream(answer), UTF_8, GoogleJsonErrorContainer.class)
            .getError();
    if (told == null) throw new IllegalArgumentException("an error without a reason");
    return new StorageException(told);
  }

  private byte[] body(GcsUpload upload) throws IOException {
    var out = new ByteArrayOutputStream(1024 + (int) upload.fingerprint().size());
    part(out, "application/json; charset=UTF-8");
    describe(out, upload);
    out.write('\n');
    part(out, GcsUpload.TYPE);
    out.write(upload.bytes());
    out.write(("\r\n--" + boundary + "--\r\n").getBytes(UTF_8));
    return out.toByteArray();
  }

  private void part(ByteArrayOutputStream out, String type) throws IOException {
    out.write(("\r\n--" + boundary + "\r\nContent-Type: " + type + "\r\n\r\n").getBytes(UTF_8));
  }

  private static void describe(ByteArrayOutputStream out, GcsUpload upload) throws IOException {
    var json = JSON.createJsonGenerator(out, UTF_8);
    json.writeStartObject();
    json.writeFieldName("name");
    json.writeString(upload.url().name());
    json.writeFieldName("contentType");
    json.writeString(GcsUpload.TYPE);
    json.writeFieldName("crc32c");
    json.writeString(upload.fingerprint().crc32c());
    json.writeFieldName("metadata");
    json.writeStartObject();
    for (var entry : upload.metadata().entrySet()) {
      json.writeFieldName(entry.getKey());
      json.writeString(entry.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
    json.flush();
  }

  private static ObjectInfo stored(ObjectUrl url, InputStream answer) throws IOException {
    try (var json = JSON.createJsonParser(new ByteArrayInputStream(read(answer)), UTF_8)) {
      return stored(url, json);
    }
  }

  private static ObjectInfo stored(ObjectUrl url, JsonParser json) throws IOException {
    var texts = new HashMap<String, String>();
    Map<String, String> metadata = Map.of();
    json.nextToken();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      var field = json.getText();
      var token = json.nextToken();
      if (token == JsonToken.START_OBJECT && field.equals("metadata")) metadata = texts(json);
      else if (token == JsonToken.VALUE_STRING) texts.put(field, json.getText());
      else json.skipChildren();
    }
    return new ObjectInfo(
        url,
        Long.parseLong(String.valueOf(texts.get("generation"))),
        Long.parseLong(texts.getOrDefault("size", "0")),
        texts.getOrDefault("crc32c", ""),
        metadata,
        Optional.ofNullable(texts.get("updated"))
            .map(time -> OffsetDateTime.parse(time).toInstant())
            .orElse(Instant.EPOCH));
  }

  private static Map<String, String> texts(JsonParser json) throws IOException {
    var texts = new HashMap<String, String>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      var name = json.getText();
      texts.put(name, json.nextToken() == JsonToken.VALUE_NULL ? "" : json.getText());
    }
    return texts;
  }
}
