package dev.mayfly.gcs;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * Stands in the place of plain files in a function: the function's disk has no data of its users.
 */
record NoFiles() implements Objects {
  private static Invalid refusal(Url url) {
    return new Invalid(
        url.toString(),
        "is a file of one machine, which the functions of a project do not see; write gs://BUCKET/NAME");
  }

  @Override
  public boolean reaches(Url place) {
    return false;
  }

  @Override
  public Optional<ObjectInfo> find(Url url) {
    throw refusal(url);
  }

  @Override
  public Optional<byte[]> read(Url url, int cap) {
    throw refusal(url);
  }

  @Override
  public Optional<InputStream> open(Url url) {
    throw refusal(url);
  }

  @Override
  public Creation create(Url url, Content content, Map<String, String> metadata) {
    throw refusal(url);
  }

  @Override
  public Replacement replace(
      Url url, Content content, Map<String, String> metadata, long generation) {
    throw refusal(url);
  }

  @Override
  public boolean delete(Url url, long generation) {
    throw refusal(url);
  }

  @Override
  public ObjectPage list(Url prefix, String after, int limit) {
    throw refusal(prefix);
  }
}
