package dev.mayfly.agent;

import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How often this machine's agent failed to start, one time after the other, and why last. It is on
 * disk, because each start is a process of its own: one that cannot start waits longer each time,
 * so that the agents of a busy machine do not keep it busy.
 */
final class FailedStarts {
  private static final Logger LOG = LoggerFactory.getLogger(FailedStarts.class);
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int DOUBLINGS = 20;

  private final Optional<Path> file;

  /** Those recorded in a folder that is there before any setting is read. */
  FailedStarts(Map<String, String> environment) {
    var beside =
        Optional.ofNullable(environment.get("MAYFLY_BOOT_STEPS")).map(f -> Path.of(f).getParent());
    var folders =
        Stream.of("MAYFLY_WORK_DIR", "HOME")
            .map(environment::get)
            .filter(Objects::nonNull)
            .map(Path::of);
    file =
        Stream.concat(beside.stream(), folders)
            .filter(Files::isWritable)
            .findFirst()
            .map(folder -> folder.resolve("failed-starts"));
  }

  /** What is known of them. */
  private record Known(int count, String reason) {
    private static final Known NONE = new Known(0, "");
  }

  /**
   * Records one more.
   *
   * @return how long to wait before the next
   */
  Duration add(String reason) {
    var count = known().count() + 1;
    var pause = FIRST.multipliedBy(1L << Math.min(count - 1, DOUBLINGS));
    var shown = pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    LOG.error(
        "agent cannot start, {} in a row; it starts again in {} s: {}",
        count == 1 ? "the first time" : count + " times",
        shown.toSeconds(),
        reason);
    write(new Known(count, reason.lines().findFirst().orElse("")));
    return shown;
  }

  /** Forgets them after a good start. They are a step of this boot, for people. */
  Optional<BootStep> forget() {
    var known = known();
    if (known.count() == 0) return Optional.empty();
    try {
      if (file.isPresent()) Files.deleteIfExists(file.get());
    } catch (IOException e) {
      LOG.warn("{} is not deleted: {}", file.get(), e.toString());
    }
    var name = known.count() == 1 ? "an earlier start" : known.count() + " earlier starts";
    return Optional.of(new BootStep(name, Duration.ZERO, Optional.of(known.reason())));
  }

  private Known known() {
    if (file.isEmpty() || !Files.exists(file.get())) return Known.NONE;
    try {
      var lines = Files.readString(file.get()).lines().toList();
      var count = lines.isEmpty() ? "" : lines.getFirst();
      return count.matches("[0-9]{1,6}")
          ? new Known(Integer.parseInt(count), lines.size() > 1 ? lines.get(1) : "")
          : Known.NONE;
    } catch (IOException e) {
      LOG.warn("{} cannot be read: {}", file.get(), e.toString());
      return Known.NONE;
    }
  }

  private void write(Known known) {
    if (file.isEmpty()) return;
    try {
      var half = file.get().resolveSibling("failed-starts.new");
      Files.write(
          half, List.of(Integer.toString(known.count()), known.reason()), StandardCharsets.UTF_8);
      Files.move(half, file.get(), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn("{} cannot be written: {}", file.get(), e.toString());
    }
  }
}
