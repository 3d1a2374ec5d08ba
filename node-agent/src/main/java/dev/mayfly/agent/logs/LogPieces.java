package dev.mayfly.agent.logs;

import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.text.QuantityFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * One log file as numbered objects, each created once.
 *
 * <p>Of a log larger than the cap, its first and last halves are kept, with a line between them
 * that says how much is missing. Meanwhile the file on disk is cut, so that a task that prints for
 * days cannot fill the disk. Tasks append, so they continue at the new end.
 *
 * <p>Not thread-safe.
 */
final class LogPieces implements StoredPieces {
  private static final long LARGEST_PIECE = 8L << 20;

  /** Redacted pieces are held in memory. */
  private static final long LARGEST_CLEANED = 1L << 20;

  private final LogFile file;
  private Optional<LogFile> rest = Optional.empty();
  private final ObjectStore objectStore;
  private final IntFunction<ObjectUrl> place;
  private final long half;
  private final LogRedactor logRedactor;
  private final long largest;
  private int next;
  private long offset;
  private long sent;
  private long cut;

  /**
   * @param place the object of a piece, by number
   * @param cap in bytes
   * @param logRedactor removes secrets from all pieces, even if split between writes
   */
  LogPieces(
      LogFile file,
      ObjectStore objectStore,
      IntFunction<ObjectUrl> place,
      long cap,
      LogRedactor logRedactor) {
    this.file = file;
    this.objectStore = objectStore;
    this.place = place;
    this.half = cap / 2;
    this.logRedactor = logRedactor;
    largest = logRedactor.isEmpty() ? LARGEST_PIECE : LARGEST_CLEANED;
  }

  /** Whether nothing was ever printed. */
  @Override
  public boolean untouched() throws IOException {
    return sent == 0 && cut == 0 && size() == 0;
  }

  /** Whether there is output that {@link #send} would send. */
  @Override
  public boolean hasNew() throws IOException {
    return sent < half && size() > offset;
  }

  /** Whether the file on disk must be cut now. */
  @Override
  public boolean overflowing() throws IOException {
    return size() - offset > 2 * half;
  }

  /** Sends what was printed since the last call, up to the first half of the cap. */
  @Override
  public void send() throws IOException {
    send(true);
  }

  private void send(boolean more) throws IOException {
    while (hasNew()) {
      long end = size();
      long waiting = more ? logRedactor.unfinished(file, offset, end) : 0;
      long length = Math.min(Math.min(end - waiting - offset, half - sent), largest);
      if (length <= 0) break;
      create(part(file, offset, offset + length));
      offset += length;
      sent += length;
    }
    if (overflowing()) {
      if (more && rest.isEmpty()) sayThatItIsCut();
      cut();
    }
  }

  /** Sends all remaining output that is kept. Call it after the last process has ended. */
  @Override
  public void finish() throws IOException {
    send(false);
    long unsent = size() - offset;
    long kept = Math.min(unsent, half);
    long aside = aside();
    long fromRest = Math.min(aside, half - kept);
    long missing = cut + aside + unsent - kept - fromRest;
    if (missing > 0) {
      say(
          "%d bytes of this log are left out here".formatted(missing),
          CutLog.cut(2 * half, missing));
    }
    if (rest.isPresent()) sendAll(rest.get(), aside - fromRest, aside);
    sendAll(file, size() - kept, size());
    offset = size();
    cut = 0;
    giveUp();
  }

  /** Discards the file that holds cut output. */
  @Override
  public void giveUp() throws IOException {
    if (rest.isPresent()) rest.get().close();
    rest = Optional.empty();
  }

  private void sendAll(LogFile from, long start, long end) throws IOException {
    for (long at = start; at < end; at += largest) {
      create(part(from, at, Math.min(at + largest, end)));
    }
  }

  /** Whoever follows the log sees nothing more until the attempt has ended. */
  private void sayThatItIsCut() {
    say(
        "this log is longer than %s (logLimit): of what follows, the last %s are kept, and stored when the attempt has ended"
            .formatted(QuantityFormat.fromBytes(2 * half), QuantityFormat.fromBytes(half)),
        CutLog.cut(2 * half));
  }

  /** Moves the last half of the cap into a second file and empties the first. */
  private void cut() throws IOException {
    if (rest.isEmpty()) rest = Optional.of(file.beside(".rest"));
    long unsent = size() - offset;
    cut += aside() + unsent - half;
    file.cutInto(rest.get(), half);
    offset = 0;
  }

  /** Stores a line of Mayfly's own, between what the task printed. */
  private void say(String text, Map<String, String> metadata) {
    var line = "\n--- mayfly: " + text + " ---\n";
    create(ObjectStore.Content.of(line.getBytes(StandardCharsets.UTF_8)), metadata);
  }

  private long aside() throws IOException {
    return rest.isPresent() ? rest.get().size() : 0;
  }

  private ObjectStore.Content part(LogFile log, long from, long to) throws IOException {
    return logRedactor.isEmpty()
        ? new Part(log, from, to - from)
        : ObjectStore.Content.of(logRedactor.redacted(log, from, to));
  }

  private void create(ObjectStore.Content content) {
    create(content, Map.of());
  }

  private void create(ObjectStore.Content content, Map<String, String> metadata) {
    while (objectStore.create(place.apply(next++), content, metadata) instanceof Creation.Exists) {
      // A call whose reply was lost already created this number: use the next.
    }
  }

  private long size() throws IOException {
    return file.size();
  }

  /** Part of a file that may grow while it is read. */
  private record Part(LogFile log, long from, long size) implements ObjectStore.Content {
    @Override
    public InputStream open() {
      return log.open(from, size);
    }
  }
}
