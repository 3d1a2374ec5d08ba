package dev.mayfly.local.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Content;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads of a file that its task still writes. */
class ChangingContentTest {
  private static final ObjectUrl AT = ObjectUrl.of("gs://lab/a");
  private static final int IN_PIECES = 5 << 20;

  @TempDir Path folder;
  private FaultyStorage storage;
  private ObjectStore objectStore;

  @BeforeEach
  void serve() throws IOException {
    storage = new FaultyStorage(folder);
    var endpoint = Optional.of(URI.create(storage.url()));
    objectStore =
        ObjectStores.of(
            new StoreSettings(endpoint, Optional.empty(), "", Duration.ofMillis(1_500)));
    Files.createDirectories(folder.resolve("lab"));
  }

  @AfterEach
  void stop() {
    storage.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, IN_PIECES})
  void changingContentMakesNoObject(int size) {
    assertThatThrownBy(() -> objectStore.create(AT, new Changing(size), Map.of()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("changed while");
    assertThat(objectStore.find(AT)).isEmpty();
  }

  /** At the end of an upload 400 is about its bytes; here it is about what was asked. */
  @Test
  void refusedUploadIsNotRetried() {
    storage.set(request -> {
      var begins =
          request.getRequestMethod().equals("POST")
              && request.getRequestURI().getQuery().contains("uploadType=resumable");
      if (begins) FaultyStorage.error(request, 400, "invalid", "Disallowed object name");
      return begins;
    });

    assertThatThrownBy(() -> objectStore.create(AT, Content.of(new byte[IN_PIECES]), Map.of()))
        .isInstanceOf(InvalidInputException.class);
  }

  /** Other bytes each time it is read. */
  private static final class Changing implements Content {
    private final int size;
    private byte times;

    Changing(int size) {
      this.size = size;
    }

    @Override
    public InputStream open() {
      var bytes = new byte[size];
      bytes[size / 2] = ++times;
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public long size() {
      return size;
    }
  }
}
