package dev.mayfly.core.port;

import dev.mayfly.core.model.StorageLocation;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Inputs, outputs, sentinels, task lists and logs. A read or a listing sees every write that was
 * answered before the call.
 *
 * <p>Every method may throw {@link dev.mayfly.core.error.UnavailableException} (the operation may
 * have happened) or {@link dev.mayfly.core.error.DeniedException}. Adapters retry what is safe to
 * retry.
 */
public interface ObjectStore {
  Optional<ObjectInfo> find(ObjectUrl objectUrl);

  /**
   * The whole object; empty if it does not exist. Throws {@link
   * dev.mayfly.core.error.InvalidInputException} if it is larger than {@code cap} bytes.
   */
  Optional<byte[]> read(ObjectUrl objectUrl, int cap);

  /** The object's content, which the caller closes; empty if it does not exist. */
  Optional<InputStream> open(ObjectUrl objectUrl);

  /**
   * Creates the object unless one exists. After a lost reply the object is read back: one with this
   * content and metadata is {@code Created}, whichever call made it.
   */
  Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata);

  /**
   * Replaces the content and metadata of exactly this generation. A repeat changes nothing; after a
   * lost reply the object is read back, as in {@link #create}.
   */
  Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation);

  /** Deletes that generation; false if the object is gone or has another generation. */
  boolean delete(ObjectUrl objectUrl, long generation);

  /**
   * Lists objects whose names begin with {@code prefix}. One call reads about one page, however
   * many objects there are.
   *
   * @param after only names greater than this full name in the bucket; may be empty
   * @param limit at least 1 and at most {@link ObjectPage#MAX_OBJECTS}. Fewer objects may be
   *     returned before the end, as {@link ObjectPage#next} shows
   */
  ObjectPage list(ObjectUrl prefix, String after, int limit);

  /** Lists all objects whose names begin with {@code prefix}. */
  default void forEachPage(ObjectUrl prefix, Consumer<ObjectPage> use) {
    for (var after = Optional.of(""); after.isPresent(); ) {
      var page = list(prefix, after.get(), ObjectPage.MAX_OBJECTS);
      use.accept(page);
      after = page.next();
    }
  }

  /**
   * The location of the bucket of a place. Empty where it cannot be known, as for plain files;
   * nothing may be concluded from that. Throws {@link dev.mayfly.core.error.InvalidInputException}
   * for a bucket that does not exist.
   */
  default Optional<StorageLocation> location(ObjectUrl place) {
    return Optional.empty();
  }

  /**
   * Whether this store serves such places at all: a function has no files, a laptop has. Every
   * other method throws {@link dev.mayfly.core.error.InvalidInputException} for a place that it
   * does not serve.
   */
  default boolean reaches(ObjectUrl place) {
    return true;
  }

  /** The result of a creation. */
  sealed interface Creation {
    ObjectInfo info();

    record Created(ObjectInfo info) implements Creation {}

    /** An object exists already, with other content or metadata. */
    record Exists(ObjectInfo info) implements Creation {}
  }

  /** The result of a replacement. */
  sealed interface Replacement {
    record Replaced(ObjectInfo info) implements Replacement {}

    /** The expected generation is gone; {@code there} is the current object, if any. */
    record Changed(Optional<ObjectInfo> there) implements Replacement {}
  }

  /** Bytes that can be read again for a retry. */
  interface Content {
    InputStream open() throws IOException;

    long size();

    static Content of(byte[] bytes) {
      return new Content() {
        @Override
        public InputStream open() {
          return new java.io.ByteArrayInputStream(bytes);
        }

        @Override
        public long size() {
          return bytes.length;
        }
      };
    }
  }
}
