package dev.mayfly.gcs.files;

import dev.mayfly.core.port.ObjectInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Object data that a file system cannot store: a hidden JSON file beside the file. */
record MetadataSidecar(String crc32c, Map<String, String> metadata) {
  /** Checksums of files up to this size are computed on demand. */
  static final int SMALL = 64 << 10;

  private static final class Json {
    static final JsonMapper MAPPER = new JsonMapper();
  }

  static boolean needed(ObjectInfo info) {
    return !info.metadata().isEmpty() || info.size() > SMALL;
  }

  void write(Path file, boolean durable) throws IOException {
    try (var out =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (var rest = ByteBuffer.wrap(Json.MAPPER.writeValueAsBytes(this)); rest.hasRemaining(); )
        out.write(rest);
      if (durable) out.force(false);
    }
  }

  /** Empty if there is none, or if it was not completely written. */
  static Optional<MetadataSidecar> read(Path file) throws IOException {
    try {
      return Optional.of(Json.MAPPER.readValue(Files.readAllBytes(file), MetadataSidecar.class));
    } catch (NoSuchFileException | JacksonException e) {
      return Optional.empty();
    }
  }
}
