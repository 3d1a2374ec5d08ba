package dev.mayfly.core.model.document;

import dev.mayfly.core.model.TaskSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What users commanded of single tasks of a shard.
 *
 * @param stopped tasks that a user stopped; they are among the shard's failed ones as well
 * @param recalled those stopped since the shard was leased: its holder is to end them
 * @param again those retried since the shard was leased: they run again, and with all their
 *     attempts, once its holder has ended what it began of them; absent in older documents
 * @param newest the newest commands, oldest first
 * @param forgottenUntil when the newest command was published that is not kept any more
 */
public record TaskCommandLog(
    TaskSet stopped,
    TaskSet recalled,
    Optional<TaskSet> again,
    List<Applied> newest,
    Optional<Instant> forgottenUntil) {
  /**
   * Commands that a shard keeps. An older one that is delivered later than these is not applied.
   */
  static final int KEPT = 20;

  public TaskCommandLog {
    newest = List.copyOf(newest);
  }

  /**
   * One command.
   *
   * @param to the index after its last task
   * @param at when it was published
   */
  public record Applied(long from, long to, Instant at) {}

  static TaskCommandLog none(long first) {
    return new TaskCommandLog(
        TaskSet.none(first), TaskSet.none(first), Optional.empty(), List.of(), Optional.empty());
  }

  /** Whether a command about the task that was published then is newer than those applied. */
  boolean isNew(long index, Instant published) {
    return newest.stream().noneMatch(a -> covers(a, index) && !published.isAfter(a.at()))
        && forgottenUntil.filter(at -> !published.isAfter(at)).isEmpty();
  }

  /** Whether that very command was applied to the task, and no newer one. */
  boolean isNewest(long index, Instant published) {
    return newest.stream().anyMatch(a -> covers(a, index) && published.equals(a.at()))
        && newest.stream().noneMatch(a -> covers(a, index) && a.at().isAfter(published));
  }

  private static boolean covers(Applied applied, long index) {
    return index >= applied.from() && index < applied.to();
  }

  public TaskCommandLog with(TaskSet nowStopped, TaskSet nowRecalled) {
    return new TaskCommandLog(nowStopped, nowRecalled, again, newest, forgottenUntil);
  }

  public TaskCommandLog withAgain(TaskSet next) {
    var some = Optional.of(next).filter(tasks -> !tasks.isEmpty());
    return new TaskCommandLog(stopped, recalled, some, newest, forgottenUntil);
  }

  /** The same without these tasks, which have ended or are not to run. */
  public TaskCommandLog withoutAgain(TaskSet tasks) {
    return again.isEmpty() ? this : withAgain(again.get().without(tasks));
  }

  /** Records a command about these tasks. */
  public TaskCommandLog applied(TaskSet tasks, Instant published) {
    var all = new ArrayList<>(newest);
    var indexes = tasks.indexes().toArray();
    for (var i = 0; i < indexes.length; ) {
      var last = i;
      while (last + 1 < indexes.length && indexes[last + 1] == indexes[last] + 1) last++;
      all.add(new Applied(indexes[i], indexes[last] + 1, published));
      i = last + 1;
    }
    all.sort(Comparator.comparing(Applied::at));
    var cut = Math.max(0, all.size() - KEPT);
    // A command of many ranges is kept whole: otherwise its repeat would be applied again.
    while (cut > 0 && all.get(cut - 1).at().equals(published)) cut--;
    var forgotten = cut == 0 ? forgottenUntil : Optional.of(all.get(cut - 1).at());
    return new TaskCommandLog(stopped, recalled, again, all.subList(cut, all.size()), forgotten);
  }

  /** The part of it that is about the tasks in [from, to). */
  public TaskCommandLog within(long from, long to) {
    return new TaskCommandLog(
        stopped.within(from, to),
        recalled.within(from, to),
        again.map(tasks -> tasks.within(from, to)).filter(tasks -> !tasks.isEmpty()),
        newest.stream().filter(a -> a.from() < to && a.to() > from).toList(),
        forgottenUntil);
  }
}
