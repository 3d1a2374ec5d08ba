package dev.mayfly.cli.logs;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The attempts and hosts that have logs, as far as they are listed: lines name what is several. */
final class LogSources {
  private final boolean gang;
  private final Set<Long> ranked = new TreeSet<>();
  private final Set<Integer> ranks = new TreeSet<>();
  private final Map<Long, Set<String>> attemptsOf = new HashMap<>();

  /**
   * @param gang whether each task runs on several machines; for the hosts of a slice, the names of
   *     their logs show it
   */
  LogSources(boolean gang) {
    this.gang = gang;
  }

  void add(Collection<LogPiece> pieces) {
    for (var piece : pieces) {
      var from = piece.from();
      if (from.rank() > 0) ranked.add(from.task());
      ranks.add(from.rank());
      attemptsOf.computeIfAbsent(from.task(), _ -> new TreeSet<>()).add(from.ofTask());
    }
  }

  /** The attempts of all tasks that have logs. */
  Set<String> attempts() {
    var all = new TreeSet<String>();
    attemptsOf.values().forEach(all::addAll);
    return all;
  }

  /** The ranks of all hosts that have logs. */
  Set<Integer> ranks() {
    return ranks;
  }

  LogLine line(LogSource from, String text) {
    var many = gang || ranked.contains(from.task());
    var rank = many ? Optional.of(from.rank()) : Optional.<Integer>empty();
    var repeated = attemptsOf.getOrDefault(from.task(), Set.of()).size() > 1;
    return new LogLine(from.task(), from.attempt(), rank, repeated, text);
  }
}
