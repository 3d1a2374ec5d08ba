package dev.mayfly.agent.logs;

import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Objects.Creation;
import dev.mayfly.core.port.Url;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * One log file as numbered objects, each created once.
 *
 * <p>Of a log larger than the cap its first half and its last half are kept, with a line between
 * them that says how much is missing. Meanwhile the file on disk is cut, so that a task that prints
 * for days cannot fill the disk; a task appends, and so goes on at the new end.
 *
 * <p>Not for two threads at a time.
 */
final class LogPieces {
  private static final long LARGEST_PIECE = 8L << 20;

  /** What is looked through is held in memory. */
  private static final long LARGEST_CLEANED = 1L << 20;

  private final Path file;
  private final Path rest;
  private final Objects objects;
  private final IntFunction<Url> place;
  private final long half;
  private final Hidden hidden;
  private final long largest;
  private int next;
  private long offset;
  private long sent;
  private long cut;

  /**
   * @param place where the piece with a number goes
   * @param cap in bytes
   * @param hidden is in none of the pieces, however it was printed
   */
  LogPieces(Path file, Objects objects, IntFunction<Url> place, long cap, Hidden hidden) {
    this.file = file;
    this.rest = file.resolveSibling(file.getFileName() + ".rest");
    this.objects = objects;
    this.place = place;
    this.half = cap / 2;
    this.hidden = hidden;
    largest = hidden.nothing() ? LARGEST_PIECE : LARGEST_CLEANED;
  }

  /** Whether nothing was ever printed. */
  boolean untouched() throws IOException {
    return sent == 0 && cut == 0 && size() == 0;
  }

  /** Whether there is output that {@link #send} would send. */
  boolean news() throws IOException {
    return sent < half && size() > offset;
  }

  /** Whether the file on disk must be cut now. */
  boolean overflowing() throws IOException {
    return size() - offset > 2 * half;
  }

  /** Sends what was printed since the last call, as far as the first half of the cap goes; true. */
  boolean send() throws IOException {
    return send(true);
  }

  private boolean send(boolean more) throws IOException {
    while (news()) {
      long end = size();
      long waiting = more ? hidden.unfinished(file, offset, end) : 0;
      long length = Math.min(Math.min(end - waiting - offset, half - sent), largest);
      if (length <= 0) break;
      create(part(file, offset, offset + length));
      offset += length;
      sent += length;
    }
    if (overflowing()) {
      cut();
    }
    return true;
  }

  /**
   * Sends all that is to be kept and was not sent yet. Call it when nothing prints any more.
   *
   * @return true, always: without a failure
   */
  boolean finish() throws IOException {
    send(false);
    long unsent = size() - offset;
    long kept = Math.min(unsent, half);
    long fromRest = Math.min(sizeOf(rest), half - kept);
    long missing = cut + sizeOf(rest) + unsent - kept - fromRest;
    if (missing > 0) {
      var line = "\n--- mayfly: %d bytes of this log are left out here ---\n".formatted(missing);
      create(Objects.Content.of(line.getBytes(StandardCharsets.UTF_8)));
    }
    sendAll(rest, sizeOf(rest) - fromRest, sizeOf(rest));
    sendAll(file, size() - kept, size());
    offset = size();
    cut = 0;
    Files.deleteIfExists(rest);
    return true;
  }

  private void sendAll(Path from, long start, long end) throws IOException {
    for (long at = start; at < end; at += largest) {
      create(part(from, at, Math.min(at + largest, end)));
    }
  }

  /** Keeps the last half of the cap beside the file, and empties the file. */
  private void cut() throws IOException {
    long unsent = size() - offset;
    long from = size() - half;
    cut += sizeOf(rest) + unsent - half;
    try (var log = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var copy =
            FileChannel.open(
                rest,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING)) {
      long copied = 0;
      while (copied < half) {
        copied += log.transferTo(from + copied, half - copied, copy);
      }
      log.truncate(0);
    }
    offset = 0;
  }

  private Objects.Content part(Path path, long from, long to) throws IOException {
    return hidden.nothing()
        ? new Part(path, from, to - from)
        : Objects.Content.of(hidden.clean(path, from, to));
  }

  private void create(Objects.Content content) {
    while (objects.create(place.apply(next++), content, Map.of()) instanceof Creation.Exists) {
      // Some other piece has this number, from a call whose reply was lost: ours gets the next.
    }
  }

  private long size() throws IOException {
    return sizeOf(file);
  }

  private static long sizeOf(Path path) throws IOException {
    return Files.exists(path) ? Files.size(path) : 0;
  }

  /** Part of a file that may grow while it is read. */
  private record Part(Path path, long from, long size) implements Objects.Content {
    @Override
    public InputStream open() throws IOException {
      var channel = FileChannel.open(path, StandardOpenOption.READ);
      channel.position(from);
      return new Bounded(Channels.newInputStream(channel), size);
    }
  }
}
