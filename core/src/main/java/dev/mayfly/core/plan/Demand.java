package dev.mayfly.core.plan;

import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Resources;

/**
 * What one running job still asks for.
 *
 * @param need what one task takes
 * @param place where it may run
 * @param ready open tasks that nobody holds
 * @param leased open tasks that workers hold, running or not
 * @param standing what decides who gives way to whom
 */
public record Demand(
    String job,
    String name,
    Resources need,
    Place place,
    long ready,
    long leased,
    Standing standing) {
  /**
   * @param owner empty if nobody said
   * @param exclusive whether its tasks must not run twice, so that nothing leased is taken back
   */
  public record Standing(String owner, int priority, boolean exclusive) {}

  /** Nobody's, with the priority that is usual. */
  public Demand(String job, String name, Resources need, Place place, long ready, long leased) {
    this(job, name, need, place, ready, leased, new Standing("", 50, false));
  }
}
