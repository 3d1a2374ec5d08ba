package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.http.RestCall;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The bytes that Google's clients in other languages send, without these clients; {@code
 * .ci/clients} runs the clients themselves.
 */
class ClientWireTest extends StorageTestCase {
  private static final String UPLOAD = "/upload/storage/v1/b/lab/o?uploadType=";

  @BeforeEach
  void givenABucket() {
    bucket();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(path.startsWith("http") ? path : server.url() + path))
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) request.headers(headers);
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private JsonNode get(String path) throws Exception {
    var reply = send("GET", path, "");
    assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    return RestCall.JSON.readTree(reply.body());
  }

  private List<String> names(String parameters, String list) throws Exception {
    var found = new ArrayList<String>();
    for (var item : get("/storage/v1/b/lab/o?" + parameters).path(list))
      found.add(item.isString() ? item.stringValue() : item.path("name").stringValue());
    return found;
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {"CRLF, m", "CRLF, \"=m=\"", "CRLF, '=m='", "LF, m"})
  void multipartIsReadWhateverItsLineEndsAndQuotes(String end, String quoted) throws Exception {
    var eol = end.equals("LF") ? "\n" : "\r\n";
    var mark = "--" + quoted.replaceAll("[\"']", "");
    var content = "one\r\n--=not\ntwo\r";
    var lines =
        List.of(
            mark,
            "Content-Type: application/json",
            "",
            "{\"name\": \"a\"}",
            mark,
            "Content-Type: text/x",
            "",
            content,
            mark + "--",
            "");

    var made =
        send(
            "POST",
            UPLOAD + "multipart",
            String.join(eol, lines),
            "Content-Type",
            "multipart/related; boundary=" + quoted);

    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    assertThat(text("a")).isEqualTo(content);
    assertThat(storage.get("lab", "a").getContentType()).isEqualTo("text/x");
  }

  @Test
  void uploadBeginsAtTheAddressThatGcloudUses() throws Exception {
    var begun =
        send("POST", "/resumable" + UPLOAD + "resumable&name=p", "{\"contentEncoding\": \"x\"}");
    var session = begun.headers().firstValue("Location").orElseThrow();

    assertThat(send("PUT", session, "0123", "Content-Range", "bytes 0-3/4").statusCode())
        .isEqualTo(200);
    assertThat(text("p")).isEqualTo("0123");
  }

  @Test
  void uploadOfUnknownLengthEndsWithItsRequest() throws Exception {
    var begun = send("POST", UPLOAD + "resumable&name=p", "");
    var session = begun.headers().firstValue("Location").orElseThrow();

    assertThat(send("PUT", session, "0123", "Content-Range", "bytes 0-*/*").statusCode())
        .isEqualTo(200);
    assertThat(text("p")).isEqualTo("0123");
    assertThat(send("PUT", session, "", "Content-Range", "bytes x/4").statusCode()).isEqualTo(200);
  }

  @Test
  void unfinishedUploadIsReportedWithoutRedirect() throws Exception {
    var begun = send("POST", UPLOAD + "resumable&name=p", "");
    var session = begun.headers().firstValue("Location").orElseThrow();
    var told =
        send("PUT", session, "01", "Content-Range", "bytes 0-1/*", "X-GUploader-No-308", "yes");

    assertThat(told.statusCode()).isEqualTo(200);
    assertThat(told.headers().firstValue("X-HTTP-Status-Code-Override")).contains("308");
    assertThat(told.headers().firstValue("Range")).contains("bytes=0-1");
    assertThat(send("PUT", session, "01", "Content-Range", "bytes 0-1/*").statusCode())
        .isEqualTo(308);
  }

  @Test
  void listsTakeWhatClientsAlwaysSend() throws Exception {
    put("a/1.txt", "x");
    put("a/b/2.txt", "x");
    put("a/b/3.gz", "x");

    assertThat(names("matchGlob=&versions=true&pageToken=", "items")).hasSize(3);
    assertThat(names("softDeleted=true", "items")).isEmpty();
    assertThat(get("/storage/v1/b/lab/managedFolders").path("items")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "a/*.txt, a/1.txt",
    "**.txt, a/1.txt a/b/2.txt",
    "a/**/*.txt, a/1.txt a/b/2.txt",
    "'a/b/{2,3}.*', a/b/2.txt a/b/3.gz",
    "a/b/[!2].gz, a/b/3.gz",
    "a/?.txt, a/1.txt",
    "a/\\*, ''",
  })
  void namesAreMatchedByTheServicesPatterns(String glob, String expected) throws Exception {
    for (var name : List.of("a/1.txt", "a/b/2.txt", "a/b/3.gz")) put(name, "x");

    var encoded = java.net.URLEncoder.encode(glob, StandardCharsets.UTF_8);
    assertThat(String.join(" ", names("matchGlob=" + encoded, "items"))).isEqualTo(expected);
    assertThat(send("GET", "/storage/v1/b/lab/o?matchGlob=%5Ba", "").statusCode()).isEqualTo(400);
  }

  @Test
  void foldersAreListedOnceWhateverTheDelimiter() throws Exception {
    for (var name : List.of("a/", "a/1", "a//", "a//2", "b")) put(name, "x");

    assertThat(names("delimiter=/", "prefixes")).containsExactly("a/");
    assertThat(names("delimiter=/&includeTrailingDelimiter=true", "items"))
        .containsExactly("a/", "b");
    assertThat(names("prefix=a/&delimiter=//", "items"))
        .containsExactly("a/", "a//", "a//2", "a/1");
    assertThat(names("delimiter=//", "prefixes")).containsExactly("a//");
    assertThat(names("delimiter=//", "items")).containsExactly("a/", "a/1", "b");
  }

  @Test
  void objectIsReadByTheXmlInterface() throws Exception {
    var generation = put("a b/ü", "hello");
    var at = "/lab/a%20b/%C3%BC";

    var read = send("GET", at, "");
    assertThat(read.body()).isEqualTo("hello");
    assertThat(read.headers().firstValue("x-goog-generation")).contains("" + generation);
    assertThat(read.headers().allValues("x-goog-hash")).hasSize(2);
    assertThat(send("GET", at, "", "Range", "bytes=1-2").body()).isEqualTo("el");
    assertThat(send("GET", at, "", "Range", "bytes=1-" + "9".repeat(20)).body()).isEqualTo("ello");
    assertThat(send("HEAD", at, "").headers().firstValue("Content-Length")).contains("5");
    assertThat(send("GET", at, "", "x-goog-if-generation-match", "1").statusCode()).isEqualTo(412);
    assertThat(send("GET", at + "?generation=1", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/lab/none", "").body()).contains("<Code>NoSuchKey</Code>");
    assertThat(send("GET", "/lab/none", "").statusCode()).isEqualTo(404);
    assertThat(send("PUT", at, "x").statusCode()).isEqualTo(405);
  }

  @Test
  void jsonApiIsAlsoAtRoot() throws Exception {
    put("a", "hello");

    assertThat(get("/b/lab/o/a").path("name").stringValue()).isEqualTo("a");
    assertThat(send("GET", "/b/lab/o/a?alt=media", "").body()).isEqualTo("hello");
  }

  @Test
  void callsOfABatchAreAnsweredOneByOne() throws Exception {
    put("a", "x");
    var part = "--b\r\nContent-Type: application/http\r\nContent-ID: <1+%d>\r\n\r\n%s\r\n";
    var body =
        part.formatted(1, "DELETE /storage/v1/b/lab/o/a HTTP/1.1\r\n\r\n")
            + part.formatted(2, "DELETE /storage/v1/b/lab/o/none HTTP/1.1\r\n\r\n")
            + part.formatted(
                3,
                "PATCH /storage/v1/b/lab HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"labels\": {\"k\": \"v\"}}")
            + "--b--";

    var reply =
        send("POST", "/batch/storage/v1", body, "Content-Type", "multipart/mixed; boundary=b");

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().firstValue("Content-Type").orElseThrow())
        .contains("multipart/mixed");
    assertThat(reply.body().split("HTTP/1.1 "))
        .satisfiesExactly(
            head -> assertThat(head).contains("Content-ID: <response-1+1>"),
            first -> assertThat(first).startsWith("204"),
            second -> assertThat(second).startsWith("404").contains("No such object"),
            third -> assertThat(third).startsWith("200").contains("\"k\":\"v\""));
    assertThat(storage.get("lab", "a")).isNull();
  }

  @Test
  void objectMovesWithinItsBucket() throws Exception {
    var generation = put("a/1", "hello");
    put("there", "x");
    var at = "/storage/v1/b/lab/o/a%2F1/moveTo/o/";

    assertThat(send("POST", at + "there?ifGenerationMatch=0", "").statusCode()).isEqualTo(412);
    assertThat(send("POST", at + "b?ifSourceGenerationMatch=1", "").statusCode()).isEqualTo(412);
    assertThat(send("POST", at + "a%2F1", "").statusCode()).isEqualTo(400);
    assertThat(send("POST", at + "b?ifSourceGenerationMatch=" + generation, "").statusCode())
        .isEqualTo(200);
    assertThat(text("b")).isEqualTo("hello");
    assertThat(storage.get("lab", "a/1")).isNull();
  }

  @Test
  void generationZeroIsTheLiveObjectWhenDeleted() throws Exception {
    put("a", "x");
    var at = "/storage/v1/b/lab/o/a?generation=";

    assertThat(send("DELETE", at + 1, "").statusCode()).isEqualTo(404);
    assertThat(send("DELETE", at + 0, "").statusCode()).isEqualTo(204);
    assertThat(storage.get("lab", "a")).isNull();
  }

  @Test
  void bucketKeepsLabelsAndRefusesUnsupportedFeatures() throws Exception {
    var at = "/storage/v1/b/lab";
    send(
        "PATCH",
        at,
        "{\"labels\": {\"a\": \"1\", \"b\": \"2\"}, \"versioning\": {\"enabled\": false}}");
    send("PATCH", at, "{\"labels\": {\"a\": null}}");
    restart();

    assertThat(get(at).path("labels").toString()).isEqualTo("{\"b\":\"2\"}");
    assertThat(get(at).path("metageneration").stringValue()).isEqualTo("3");
    var refused = send("PATCH", at, "{\"versioning\": {\"enabled\": true}}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("versioning");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/download/storage/v1/b/lab/o/a?alt=media", "/lab/a"})
  void gzipObjectIsUnpackedUnlessGzipAccepted(String at) throws Exception {
    var packed = packed("some text");
    send("POST", UPLOAD + "resumable&name=a&contentEncoding=gzip", "");
    var begun = send("POST", UPLOAD + "resumable&name=a&contentEncoding=gzip", "");
    var session = URI.create(begun.headers().firstValue("Location").orElseThrow());
    http.send(
        HttpRequest.newBuilder(session).PUT(BodyPublishers.ofByteArray(packed)).build(),
        BodyHandlers.discarding());

    var plain = send("GET", at, "", "Range", "bytes=2-3");
    assertThat(plain.body()).isEqualTo("some text");
    assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(plain.headers().firstValue("x-goog-stored-content-encoding")).contains("gzip");
    assertThat(plain.headers().firstValue("x-goog-stored-content-length"))
        .contains("" + packed.length);

    var raw =
        http.send(
            HttpRequest.newBuilder(URI.create(server.url() + at))
                .header("Accept-Encoding", "gzip")
                .build(),
            BodyHandlers.ofByteArray());
    assertThat(raw.body()).isEqualTo(packed);
    assertThat(raw.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(unpacked(raw.body())).isEqualTo("some text");
  }

  private static byte[] packed(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static String unpacked(byte[] bytes) throws IOException {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
