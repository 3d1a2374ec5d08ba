package dev.mayfly.cli.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Gatherers;

/**
 * The last selected lines of one task on one host: reads its pieces backwards, from the newest on,
 * until there are enough.
 */
final class LogTail {
  /** Pieces are read in groups of at most this size, or alone. */
  private static final long GROUP_BYTES = 1 << 20;

  /** Of a longer line, the beginning may be missing. */
  private static final int LONGEST_LINE = 1 << 20;

  private static final int READERS = 16;

  private final Function<LogPiece, byte[]> fetch;
  private final BiFunction<LogSource, String, List<LogLine>> shown;
  private final int most;
  private final Deque<LogLine> kept = new ArrayDeque<>();
  private byte[] rest = {};

  /**
   * @param lines the last ones, oldest first
   * @param rest what the newest source has printed after its last line end, if that may go on
   */
  record Tail(List<LogLine> lines, byte[] rest) {}

  /**
   * @param shown what is shown of a line of a source: those lines count
   * @param most how many lines at most
   */
  LogTail(
      Function<LogPiece, byte[]> fetch,
      BiFunction<LogSource, String, List<LogLine>> shown,
      int most) {
    this.fetch = fetch;
    this.shown = shown;
    this.most = most;
  }

  /**
   * @param logs of the attempts on that host, oldest first
   * @param ended whether a last line without its end is a line
   */
  Tail read(List<UnreadLog> logs, boolean ended) {
    read(logs.getLast(), !ended);
    for (var older : logs.reversed().subList(1, logs.size()))
      if (kept.size() < most) read(older, false);
    return new Tail(List.copyOf(kept), rest);
  }

  /**
   * @param open whether the last line may go on
   */
  private void read(UnreadLog log, boolean open) {
    var end = log.pieces().size();
    var carry = new byte[0];
    var mayGoOn = open;
    for (var group = 1; end > 0 && (mayGoOn || kept.size() < most); group *= 2) {
      var start = start(log.pieces(), end, Math.min(group, READERS));
      var bytes = joined(log, start, end, carry);
      // The first line may have begun in an earlier piece: it is read with that.
      var first = start == 0 ? 0 : LineEnds.afterFirst(bytes);
      end = start;
      carry = Arrays.copyOf(bytes, first);
      if (start > 0 && first == 0 && bytes.length < LONGEST_LINE) {
        carry = bytes;
        continue;
      }
      var last = mayGoOn ? LineEnds.afterLast(bytes) : bytes.length;
      if (mayGoOn) rest = Arrays.copyOfRange(bytes, last, bytes.length);
      mayGoOn = false;
      keep(log.from(), new String(bytes, first, last - first, UTF_8));
    }
  }

  private void keep(LogSource from, String text) {
    if (text.isEmpty()) return;
    var whole = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    for (var line : List.of(whole.split("\n", -1)).reversed())
      for (var shownLine : shown.apply(from, line).reversed())
        if (kept.size() < most) kept.addFirst(shownLine);
  }

  /** Where a group of pieces begins that ends before {@code end}. */
  private static int start(List<LogPiece> pieces, int end, int group) {
    var start = end - 1;
    var size = pieces.get(start).object().size();
    while (start > 0 && end - start < group) {
      size += pieces.get(start - 1).object().size();
      if (size > GROUP_BYTES) break;
      start--;
    }
    return start;
  }

  private byte[] joined(UnreadLog log, int start, int end, byte[] carry) {
    var all = new ByteArrayOutputStream();
    if (start == 0)
      log.before().map(fetch).ifPresent(it -> all.writeBytes(LineEnds.incomplete(it)));
    log.pieces().subList(start, end).stream()
        .gather(Gatherers.mapConcurrent(READERS, fetch::apply))
        .forEachOrdered(all::writeBytes);
    all.writeBytes(carry);
    return all.toByteArray();
  }
}
