package dev.mayfly.core.plan;

import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * What one running job still asks for.
 *
 * @param need what one task takes
 * @param place where it may run
 * @param ready open tasks that nobody holds
 * @param leased open tasks that workers hold, running or not
 * @param standing what decides who gives way to whom
 * @param urgency what of it is not for spot machines
 * @param gang how many workers of one pool run each task together; 1: each for itself
 */
public record Demand(
    String job,
    String name,
    Resources need,
    Place place,
    long ready,
    long leased,
    Standing standing,
    Urgency urgency,
    int gang) {
  /**
   * @param owner empty if nobody said
   * @param exclusive whether its tasks must not run twice, so that nothing leased is taken back
   */
  public record Standing(String owner, int priority, boolean exclusive) {}

  /**
   * @param spent of the ready tasks, those that are for no spot machine any more
   * @param preemptions after how many attempts they are
   * @param deadline of all of it, if it is so near that machines are bought on demand
   */
  public record Urgency(long spent, int preemptions, Optional<Instant> deadline) {
    public static final Urgency NONE = new Urgency(0, 0, Optional.empty());
  }

  /** Of a job that runs on whatever machines there are. */
  public Demand(
      String job,
      String name,
      Resources need,
      Place place,
      long ready,
      long leased,
      Standing standing) {
    this(job, name, need, place, ready, leased, standing, Urgency.NONE, 1);
  }

  /** The same, for n workers a task. */
  Demand together(int n) {
    return new Demand(job, name, need, place, ready, leased, standing, urgency, n);
  }

  Demand at(Place other) {
    return new Demand(job, name, need, other, ready, leased, standing, urgency, gang);
  }

  /** Nobody's, with the priority that is usual. */
  public Demand(String job, String name, Resources need, Place place, long ready, long leased) {
    this(job, name, need, place, ready, leased, new Standing("", 50, false));
  }
}
