package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** The laptop's Cloud Storage over HTTP, as clients call it. */
class StorageWireTest extends StorageTestCase {
  @Test
  void partOfObjectIsRead() throws Exception {
    bucket();
    var generation = put("a b", "0123456789");
    var at = "/download/storage/v1/b/lab/o/a%20b?alt=media";

    assertThat(get(at, "bytes=2-4").body()).isEqualTo("234");
    assertThat(get(at, "bytes=2-4").headers().firstValue("Content-Range")).contains("bytes 2-4/10");
    assertThat(get(at, "bytes=-3").body()).isEqualTo("789");
    assertThat(get(at, "bytes=10-").statusCode()).isEqualTo(416);
    assertThat(get(at + "&generation=" + generation, "bytes=0-").statusCode()).isEqualTo(206);
    assertThat(get(at + "&generation=1", "bytes=0-").statusCode()).isEqualTo(404);
    assertThat(get(at + "&ifGenerationNotMatch=" + generation, "bytes=0-").statusCode())
        .isEqualTo(304);
  }

  @Test
  void anUploadInPiecesGoesOnAfterARestart() throws Exception {
    bucket();
    var begun =
        send(
            "POST",
            "/upload/storage/v1/b/lab/o?uploadType=resumable&name=p&ifGenerationMatch=0",
            "",
            "");
    var session = begun.headers().firstValue("Location").orElseThrow();
    session = session.substring(session.indexOf("/upload"));
    assertThat(send("PUT", session, "01234", "bytes 0-4/*").statusCode()).isEqualTo(308);
    restart();
    var asked = send("PUT", session, "", "bytes */*");
    assertThat(asked.statusCode()).isEqualTo(308);
    assertThat(asked.headers().firstValue("Range")).contains("bytes=0-4");
    var ended = send("PUT", session, "3456789", "bytes 3-9/10");

    assertThat(ended.statusCode()).isEqualTo(200);
    assertThat(text("p")).isEqualTo("0123456789");
    assertThat(send("PUT", session, "", "bytes */10").body()).isEqualTo(ended.body());
    assertThat(
            send(
                    "POST",
                    "/upload/storage/v1/b/lab/o?uploadType=resumable&name=p&ifGenerationMatch=0",
                    "",
                    "")
                .statusCode())
        .isEqualTo(412);
  }

  @Test
  void bytesThatWereChangedOnTheWayAreRefused() throws Exception {
    bucket();
    var body =
        "--m\r\n\r\n{\"name\": \"a\", \"crc32c\": \"AAAAAA==\"}\r\n--m\r\n\r\nchanged\r\n--m--";
    var at = "/upload/storage/v1/b/lab/o?uploadType=multipart";
    var request = HttpRequest.newBuilder(URI.create(server.url() + at));
    request
        .header("Content-Type", "multipart/related; boundary=m")
        .POST(BodyPublishers.ofString(body));
    var reply = http.send(request.build(), BodyHandlers.ofString());

    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(reply.body()).contains("doesn't match calculated CRC32C");
    assertThat(storage.get("lab", "a")).isNull();
  }

  private HttpResponse<String> get(String path, String range) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(server.url() + path)).header("Range", range).build(),
        BodyHandlers.ofString());
  }

  private HttpResponse<String> send(String method, String path, String body, String range)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, BodyPublishers.ofString(body));
    if (!range.isEmpty()) request.header("Content-Range", range);
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
