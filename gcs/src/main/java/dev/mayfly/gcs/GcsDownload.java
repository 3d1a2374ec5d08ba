package dev.mayfly.gcs;

import com.google.api.client.http.HttpResponse;
import com.google.api.client.http.HttpResponseException;
import com.google.api.services.storage.Storage;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * An object's content from a position on, as stored: an object with {@code contentEncoding} gzip
 * stays compressed, because only the stored bytes match its size and checksum.
 *
 * @param generation of the content
 * @param size of the whole object in bytes; -1 if the service does not return it
 * @param crc32c of the whole object; empty if the service does not return it
 */
record GcsDownload(InputStream body, Optional<Long> generation, long size, String crc32c) {
  static GcsDownload open(
      Storage rest,
      ObjectUrl objectUrl,
      Optional<String> payer,
      Optional<Long> generation,
      long from)
      throws IOException {
    var get = rest.objects().get(BlobMapper.bucket(objectUrl), BlobMapper.id(objectUrl).getName());
    generation.ifPresent(get::setGeneration);
    payer.ifPresent(get::setUserProject);
    get.setReturnRawInputStream(true);
    get.getMediaHttpDownloader().setDirectDownloadEnabled(true);
    // Without this header, the service decompresses gzip content.
    get.getRequestHeaders().setAcceptEncoding("gzip");
    if (from > 0) get.getRequestHeaders().setRange("bytes=" + from + "-");
    var response = get.executeMedia();
    var body = response.getContent();
    if (from > 0 && response.getStatusCode() != 206) body.skipNBytes(from);
    return new GcsDownload(
        body,
        number(response, "x-goog-generation"),
        number(response, "x-goog-stored-content-length").orElse(-1L),
        crc32c(response));
  }

  private static Optional<Long> number(HttpResponse response, String header) {
    return Optional.ofNullable(response.getHeaders().getFirstHeaderStringValue(header))
        .filter(text -> text.matches("\\d{1,18}"))
        .map(Long::valueOf);
  }

  /** The checksums are in one header or in several. */
  private static String crc32c(HttpResponse response) {
    for (var header : response.getHeaders().getHeaderStringValues("x-goog-hash"))
      for (var sum : header.split(","))
        if (sum.strip().startsWith("crc32c=")) return sum.strip().substring("crc32c=".length());
    return "";
  }

  /** Whether a retry may succeed. */
  static boolean isTransient(HttpResponseException refusal) {
    var status = refusal.getStatusCode();
    return status == 408 || status == 429 || status >= 500;
  }
}
