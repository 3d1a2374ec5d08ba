package dev.mayfly.core.query;

import dev.mayfly.core.model.document.EventRecord;
import java.util.List;

/**
 * Why a job is where it is.
 *
 * @param summary one sentence
 * @param reasons what holds it up, most telling first; none when nothing does
 * @param queue the jobs whose turn is before its own
 */
public record JobExplanation(
    String job,
    String summary,
    List<Reason> reasons,
    List<String> queue,
    List<EventRecord> events) {
  /**
   * @param kind one word: room, unfit, booting, max, stockout, quota, refused, preempted, unclear,
   *     budget, gang, hold, kept, region, rollout, place, turn, failing, silent, stopped
   */
  public record Reason(String kind, String text) {}
}
