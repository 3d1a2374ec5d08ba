package dev.mayfly.agent.os;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Ends every process of an attempt, and says whether it did.
 *
 * <p>A process belongs to an attempt if it carries the attempt's mark in its environment, is in the
 * session of the attempt's first process, or descends from such a process. One that shed all three
 * ends as a child of the agent (which adopts orphans), and is taken for a process of an attempt
 * that has ended as soon as it is older than every attempt that runs.
 *
 * <p>What another incarnation of the agent left is known by the same marks, and by the session of
 * each first process, which is on the disk ({@link FirstProcess}).
 *
 * <p>All methods block; call them on a thread of their own. Repeating any of them is harmless.
 */
public final class WholeKill {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Suspects suspects;
  private final Supplier<Orphans> orphans;
  private final Supplier<Collection<Attempt>> live;
  private final Duration patience;

  /**
   * @param workRoot what the processes of this agent carry as {@link Marks#TASK_OF}
   * @param orphans asked for only once something was started
   * @param live the attempts that run or are just being started
   * @param patience for how long SIGKILL is repeated before we report what is left
   */
  public WholeKill(
      Path workRoot,
      Supplier<Orphans> orphans,
      Supplier<Collection<Attempt>> live,
      Duration patience) {
    this.live = live;
    this.suspects = new Suspects(workRoot, new ProcessTable());
    this.orphans = orphans;
    this.patience = patience;
  }

  /**
   * An attempt, from before its first process starts.
   *
   * @param first its first process, once it was started
   * @param contained whether that is the client of a container engine
   */
  public record Attempt(String id, Optional<Running> first, boolean contained) {}

  /**
   * What a kill came to.
   *
   * @param left processes that still live; only when there are none is the capacity free
   */
  public record Killed(List<Integer> left) {
    public Killed {
      left = List.copyOf(left);
    }

    /** Whether nothing is left. */
    public boolean confirmed() {
      return left.isEmpty();
    }
  }

  /** Asks the attempt's processes to end, waits for {@code grace}, then kills what is left. */
  public Killed kill(Attempt attempt, Duration grace) {
    if (!grace.isZero()) {
      askToEnd(attempt, grace);
    }
    attempt.first().ifPresent(first -> first.signal(Running.Sig.KILL));
    var killed = killAll(() -> suspects.of(attempt, live));
    orphans.get().reap();
    return killed;
  }

  /** Kills what an attempt left whose first process ended by itself. */
  public Killed after(Attempt attempt) {
    var firsts = Suspects.sessions(live.get());
    if (!orphans.get().possible(firsts::contains)) {
      return new Killed(List.of());
    }
    var killed = killAll(() -> suspects.of(attempt, live));
    orphans.get().reap();
    return killed;
  }

  /**
   * Kills the processes of attempts of this agent that have ended, and waits for dead orphans.
   * Cheap while there is none.
   */
  public Killed sweep() {
    var firsts = Suspects.sessions(live.get());
    if (!orphans.get().possible(firsts::contains)) {
      return new Killed(List.of());
    }
    var killed = killAll(() -> suspects.ofEnded(live));
    orphans.get().reap();
    return killed;
  }

  /** Kills what earlier incarnations left under this work directory; before anything is started. */
  public static Killed earlier(Path workRoot, Duration patience) {
    var kill = new WholeKill(workRoot, Orphans::none, List::of, patience);
    return kill.killAll(kill.suspects::ofAnyIncarnation);
  }

  private void askToEnd(Attempt attempt, Duration grace) {
    var inside = suspects.inside(attempt, live);
    if (inside.isEmpty()) {
      var session = attempt.first().map(Running::pid).orElse(-1L);
      attempt.first().ifPresent(first -> first.signal(Running.Sig.TERM));
      suspects.of(attempt, live).stream()
          .filter(process -> process.session() != session)
          .forEach(process -> process.end(Running.Sig.TERM));
    } else {
      inside.forEach(process -> process.end(Running.Sig.TERM));
    }
    var deadline = System.nanoTime() + grace.toNanos();
    while (System.nanoTime() < deadline && !suspects.of(attempt, live).isEmpty()) {
      if (!pause()) {
        return;
      }
    }
  }

  /**
   * Looks twice before it believes that nothing is left: a process that forks and ends while we
   * read the table can hide its child behind the place that we have passed.
   */
  private Killed killAll(Supplier<List<Suspects.Suspect>> find) {
    var deadline = System.nanoTime() + patience.toNanos();
    int empty = 0;
    while (true) {
      var found = find.get();
      empty = found.isEmpty() ? empty + 1 : 0;
      if (empty == 2) {
        return new Killed(List.of());
      }
      found.forEach(process -> process.end(Running.Sig.KILL));
      if (!found.isEmpty() && (System.nanoTime() > deadline || !pause())) {
        return new Killed(found.stream().map(Suspects.Suspect::pid).toList());
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
