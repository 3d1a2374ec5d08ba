package dev.mayfly.local.machines;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.mayfly.local.os.DocumentFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;

/**
 * Values by name, in a file each, so that a restarted cloud has them. A change is on disk before it
 * is visible. Thread-safe.
 */
public final class StoredValues<T> {
  private final DocumentFolder folder;
  private final Function<T, String> name;
  private final Function<T, String> print;
  private final Map<String, T> values = new LinkedHashMap<>();

  /** Parses what was printed. */
  interface Parser<T> {
    T parse(String text) throws InvalidProtocolBufferException;
  }

  /**
   * Reads the values of an earlier process.
   *
   * <p>Throws {@link IllegalArgumentException} that names the file which cannot be read.
   *
   * @param name the name of a value and of its file: letters, digits, dots and dashes
   */
  StoredValues(Path folder, Function<T, String> name, Function<T, String> print, Parser<T> parser) {
    this.folder = new DocumentFolder(folder);
    this.name = name;
    this.print = print;
    this.folder.read().forEach((file, text) -> add(file, text, parser));
  }

  private void add(String file, String text, Parser<T> parser) {
    try {
      var value = parser.parse(text);
      values.put(name.apply(value), value);
    } catch (InvalidProtocolBufferException | JacksonException | IllegalArgumentException damaged) {
      throw new IllegalArgumentException(
          "%s is damaged (%s): move it away and start again; the cloud then knows nothing of what it describes, and work of that machine starts elsewhere"
              .formatted(folder.file(file), firstLine(damaged)),
          damaged);
    }
  }

  private static String firstLine(Exception damaged) {
    return String.valueOf(damaged.getMessage()).lines().findFirst().orElse("");
  }

  /** Google's messages in Google's JSON. */
  public static <M extends Message> StoredValues<M> json(
      Path folder, M prototype, Function<M, String> name) {
    return messages(folder, prototype, name, ProtoJson::print, ProtoJson::parse);
  }

  /** Google's messages in binary, for those that contain others of any type. */
  public static <M extends Message> StoredValues<M> binary(
      Path folder, M prototype, Function<M, String> name) {
    return messages(
        folder,
        prototype,
        name,
        message -> Base64.getEncoder().encodeToString(message.toByteArray()),
        (text, builder) -> builder.mergeFrom(Base64.getDecoder().decode(text)));
  }

  @SuppressWarnings("unchecked") // A builder of the prototype's type builds that type.
  private static <M extends Message> StoredValues<M> messages(
      Path folder,
      M prototype,
      Function<M, String> name,
      Function<Message, String> print,
      Merger merger) {
    return new StoredValues<>(
        folder,
        name,
        print::apply,
        text -> (M) merger.merge(text, prototype.newBuilderForType()).build());
  }

  /** Adds what was printed to a message's builder, and returns it. */
  private interface Merger {
    Message.Builder merge(String text, Message.Builder builder)
        throws InvalidProtocolBufferException;
  }

  public synchronized Optional<T> find(String named) {
    return Optional.ofNullable(values.get(named));
  }

  /** All values that are wanted: those of an earlier process by name, then by age. */
  public synchronized List<T> list(Predicate<T> wanted) {
    return values.values().stream().filter(wanted).toList();
  }

  /** Adds or replaces a value. */
  public synchronized T put(T value) {
    folder.write(name.apply(value), print.apply(value));
    values.put(name.apply(value), value);
    notifyAll();
    return value;
  }

  /** Changes all values that are wanted. */
  public synchronized void update(Predicate<T> wanted, UnaryOperator<T> change) {
    list(wanted).forEach(value -> put(change.apply(value)));
  }

  /** Removes a value; false if there was none. */
  public synchronized boolean remove(String named) {
    folder.delete(named);
    return values.remove(named) != null;
  }

  /** Waits until no value is {@code pending}; false at the timeout. */
  public synchronized boolean awaitNone(Predicate<T> pending, Duration atMost)
      throws InterruptedException {
    var end = System.nanoTime() + atMost.toNanos();
    while (values.values().stream().anyMatch(pending)) {
      var left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) return false;
      wait(left);
    }
    return true;
  }
}
