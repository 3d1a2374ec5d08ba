package dev.mayfly.core.model.gather;

import dev.mayfly.core.model.Sha256;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code mayfly/.jobs/<job uid>/tasks/gathered.json}: the objects that one task reads as a folder,
 * as they were when the job started. Created once.
 *
 * @param what they are, in words: {@code 12 objects of gs://lab/out/*.json}
 * @param remark on what is missing among them, in words
 */
public record GatheredInputs(String what, Optional<String> remark, List<GatheredObject> objects) {
  /** The most objects that are listed: a listing of these takes some seconds. */
  public static final int MOST_OBJECTS = 20_000;

  /** The most files, with those of folders. */
  public static final int MOST_FILES = 200_000;

  /** The most bytes, with those of folders: 1 TiB. */
  public static final long MOST_BYTES = 1L << 40;

  private static final String WHAT = "mayfly-gathered";
  private static final String CONTENT = "mayfly-gathered-content";
  private static final int LONGEST = 1_000;

  private static final int HEX_DIGITS = 15;

  /** Numbers below it have eighteen digits at most. */
  private static final long LARGEST = 1_000_000_000_000_000_000L;

  public GatheredInputs {
    objects = List.copyOf(objects);
  }

  /**
   * One of them.
   *
   * @param name below the task's folder, with slashes
   * @param folder whether the object is the index of a folder, whose files lie below that name
   */
  public record GatheredObject(
      String name, String url, long generation, long size, String crc32c, boolean folder) {}

  /** As far as it is known without a look into folders. */
  public long bytes() {
    return objects.stream().filter(o -> !o.folder()).mapToLong(GatheredObject::size).sum();
  }

  /** What the list's object says of itself, for readers that need no more. */
  public Map<String, String> metadata() {
    var words = what.chars().allMatch(c -> c >= ' ' && c <= '~') ? what : "";
    return Map.of(
        WHAT,
        words.length() > LONGEST ? words.substring(0, LONGEST) : words,
        CONTENT,
        Long.toString(content()));
  }

  /** Equal for equal objects, whichever job listed them. */
  private long content() {
    var text = new StringBuilder();
    for (var object : objects)
      text.append(object.url()).append(' ').append(object.generation()).append('\n');
    var digits = Sha256.of(text.toString()).substring(0, HEX_DIGITS);
    return Long.parseLong(digits, 16) % LARGEST;
  }

  /** {@link #what} of a list, by its object's metadata. */
  public static Optional<String> what(Map<String, String> metadata) {
    return Optional.ofNullable(metadata.get(WHAT)).filter(words -> !words.isEmpty());
  }

  /**
   * The number that stands for the generation of a task's input: of a list it is made from those of
   * its objects, so that a list of another job with the same objects counts as the same input.
   */
  public static long generation(long generation, Map<String, String> metadata) {
    var content = metadata.getOrDefault(CONTENT, "");
    return content.matches("[0-9]{1,18}") ? Long.parseLong(content) : generation;
  }
}
