package dev.mayfly.cli.logs;

import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;

/**
 * The log of a job, or what is selected of it, from the objects that agents write. Available during
 * and after the life of the worker.
 */
public final class JobLogs {
  private static final int MAX_PIECE_BYTES = 64 << 20;

  /** Pieces, or ends of logs, that are read at the same time. */
  private static final int READERS = 16;

  private final ObjectStore objectStore;
  private final ObjectUrl prefix;

  /** Where a listing of logs may end. */
  private final String histories;

  private final LogSelection selection;
  private final LogSources sources;
  private final LineAssembler lines = new LineAssembler();

  /** The names of pieces that were read. */
  private final Set<String> read = new TreeSet<>();

  private final Set<LogSource> begun = new TreeSet<>(LogSource.ORDER);
  private List<CutLog> cut = List.of();
  private boolean isStored;

  /**
   * @param bucket bucket of the job's cluster
   * @param gang whether each task runs on several machines
   */
  public JobLogs(
      ObjectStore objectStore, String bucket, String uid, boolean gang, LogSelection selection) {
    this.objectStore = objectStore;
    this.selection = selection;
    sources = new LogSources(gang);
    var layout = BucketLayout.of(bucket);
    histories = layout.metrics(uid).name();
    var task = selection.task();
    prefix = task.isPresent() ? layout.logs(uid, task.getAsLong()) : layout.logs(uid);
  }

  /** Those of a task's logs of which a part is not kept; reads none of them. */
  public static List<CutLog> cut(ObjectStore objectStore, String bucket, String uid, long task) {
    var cut = new ArrayList<CutLog>();
    objectStore.forEachPage(
        BucketLayout.of(bucket).logs(uid, task),
        page -> page.objects().forEach(piece -> CutLog.of(piece).ifPresent(cut::add)));
    return CutLog.ofLogs(cut);
  }

  /** The attempts that have logs, as far as they are listed. */
  public Set<String> attempts() {
    return sources.attempts();
  }

  /** The hosts that have logs, by rank, as far as they are listed. */
  public Set<Integer> ranks() {
    return sources.ranks();
  }

  /** The selected logs of which a part is not kept, as far as they are listed. */
  public List<CutLog> cut() {
    return cut;
  }

  /** Whether something is stored of these tasks, attempts and hosts, whatever its time. */
  public boolean isStored() {
    return isStored;
  }

  /** Reads the pieces that are new since the last call and returns their number. */
  public int readNew(Consumer<LogLine> use) {
    return read(false, use);
  }

  /** As {@link #readNew}, and emits last lines that have no line end. */
  public int readLast(Consumer<LogLine> use) {
    var pieces = read(true, use);
    flush(use);
    return pieces;
  }

  /** Emits last lines that have no line end. */
  public void flush(Consumer<LogLine> use) {
    lines.endAll((from, text) -> shown(from, text).forEach(use));
  }

  private int read(boolean last, Consumer<LogLine> use) {
    var unread = unread();
    var hasRead = !begun.isEmpty();
    unread.forEach(log -> begun.add(log.from()));
    if (selection.tail().isPresent() && !hasRead) tail(unread, last, use);
    else all(unread, last, use);
    return unread.stream().mapToInt(log -> log.pieces().size()).sum();
  }

  /** A log that grew for a day has thousands of small pieces. */
  private void all(List<UnreadLog> logs, boolean last, Consumer<LogLine> use) {
    logs.stream()
        .flatMap(UnreadLog::parts)
        .gather(Gatherers.mapConcurrent(READERS, part -> Map.entry(part, bytes(part.piece()))))
        .forEachOrdered(it -> use(it.getKey(), it.getValue(), last, use));
  }

  private void use(UnreadLog.Part part, byte[] bytes, boolean last, Consumer<LogLine> use) {
    var from = part.piece().from();
    if (part.before()) {
      lines.begin(from, bytes);
      return;
    }
    lines.add(from, bytes, (source, text) -> shown(source, text).forEach(use));
    if (last && part.last()) lines.end(from, (source, text) -> shown(source, text).forEach(use));
  }

  private void tail(List<UnreadLog> logs, boolean last, Consumer<LogLine> use) {
    record Host(long task, int rank) {}
    var hosts =
        logs.stream()
            .collect(
                Collectors.groupingBy(
                    log -> new Host(log.from().task(), log.from().rank()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    var most = selection.tail().orElseThrow();
    hosts.values().stream()
        .gather(
            Gatherers.mapConcurrent(
                READERS,
                ofHost ->
                    Map.entry(
                        ofHost.getLast().from(),
                        new LogTail(this::bytes, this::shown, most).read(ofHost, last))))
        .forEachOrdered(it -> {
          it.getValue().lines().forEach(use);
          lines.begin(it.getKey(), it.getValue().rest());
        });
  }

  private List<LogLine> shown(LogSource from, String text) {
    return selection.shown(sources.line(from, text));
  }

  private List<UnreadLog> unread() {
    var all = list();
    sources.add(all);
    cut =
        CutLog.ofLogs(
            all.stream()
                .filter(piece -> selection.includes(piece.from()))
                .flatMap(piece -> CutLog.of(piece.object()).stream())
                .toList());
    var unread = new ArrayList<UnreadLog>();
    all.stream()
        .filter(piece -> selection.includes(piece.from()))
        .sorted(LogPiece.ORDER)
        .collect(
            Collectors.groupingBy(
                LogPiece::from, () -> new TreeMap<>(LogSource.ORDER), Collectors.toList()))
        .forEach((from, pieces) -> unread(from, pieces).ifPresent(unread::add));
    return unread;
  }

  private Optional<UnreadLog> unread(LogSource from, List<LogPiece> pieces) {
    isStored = true;
    var wanted =
        pieces.stream()
            .dropWhile(piece -> !selection.includes(piece.object().updated()))
            .filter(piece -> read.add(piece.name()))
            .toList();
    if (wanted.isEmpty()) return Optional.empty();
    var first = pieces.indexOf(wanted.getFirst());
    var before =
        first == 0 || begun.contains(from)
            ? Optional.<LogPiece>empty()
            : Optional.of(pieces.get(first - 1));
    return Optional.of(new UnreadLog(from, before, wanted));
  }

  private byte[] bytes(LogPiece piece) {
    return objectStore.read(piece.object().url(), MAX_PIECE_BYTES).orElse(new byte[0]);
  }

  private List<LogPiece> list() {
    var pieces = new ArrayList<LogPiece>();
    for (var after = Optional.of(""); after.isPresent(); ) {
      var page = objectStore.list(prefix, after.get(), ObjectPage.MAX_OBJECTS);
      page.objects().forEach(o -> LogPiece.of(o).ifPresent(pieces::add));
      after = page.next().filter(name -> ObjectNames.ORDER.compare(name, histories) < 0);
    }
    return pieces;
  }
}
