package dev.mayfly.core.port;

import dev.mayfly.core.model.StorageLocation;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/**
 * Inputs, outputs, sentinels, task lists and logs. A read or a listing sees every write that was
 * answered before it was called.
 *
 * <p>Every method may throw {@link dev.mayfly.core.error.UnavailableException} (what was asked may
 * have happened) or {@link dev.mayfly.core.error.DeniedException}. Adapters retry what is safe to
 * retry.
 */
public interface ObjectStore {
  Optional<ObjectInfo> find(ObjectUrl objectUrl);

  /**
   * The whole object; empty if it is not there. Throws {@code Invalid} if it is larger than {@code
   * cap} bytes.
   */
  Optional<byte[]> read(ObjectUrl objectUrl, int cap);

  /** The object's content, to be closed; empty if it is not there. */
  Optional<InputStream> open(ObjectUrl objectUrl);

  /**
   * Creates the object unless one is there. A lost reply is read back: an object with this content
   * and metadata is {@code Created}, whoever's call made it.
   */
  Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata);

  /**
   * Puts the content and metadata in the place of the generation that was seen, and of no other. A
   * repeat changes nothing; a lost reply is read back, as in {@link #create}.
   */
  Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation);

  /** Deletes that generation; false if the object is gone or is another generation by now. */
  boolean delete(ObjectUrl objectUrl, long generation);

  /**
   * Objects whose names begin with {@code prefix}. One call asks a store for about a page, however
   * many objects there are.
   *
   * @param after only names greater than this one (a full name in the bucket), or empty
   * @param limit at most so many, at least 1 and at most {@link ObjectPage#MOST}; fewer may come
   *     back before the end, which {@link ObjectPage#next} tells
   */
  ObjectPage list(ObjectUrl prefix, String after, int limit);

  /**
   * Where the bucket of a place is. Empty where nobody can know, such as of plain files: then
   * nothing follows from it. Throws {@code Invalid} for a bucket that is not there.
   */
  default Optional<StorageLocation> location(ObjectUrl place) {
    return Optional.empty();
  }

  /**
   * Whether this store has such places at all: a function has no files, and a laptop has. Every
   * other method throws {@code Invalid} for one that it has not.
   */
  default boolean reaches(ObjectUrl place) {
    return true;
  }

  /** What became of a creation. */
  sealed interface Creation {
    ObjectInfo info();

    record Created(ObjectInfo info) implements Creation {}

    /** There is one already, and it is another. */
    record Exists(ObjectInfo info) implements Creation {}
  }

  /** What became of a replacement. */
  sealed interface Replacement {
    record Replaced(ObjectInfo info) implements Replacement {}

    /** The generation that was seen is not there any more; this is, or nothing. */
    record Changed(Optional<ObjectInfo> there) implements Replacement {}
  }

  /** Bytes that can be read again for a second try. */
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
