package dev.mayfly.core.query;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.port.QueryResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job that another one waits for, or waited for before it started.
 *
 * @param job as the document of the job that waits names it: a name, {@code OWNER/NAME} or a uid
 * @param uid which job that is; absent until one is known
 * @param on which end lets the job that waits start
 * @param state where that job is now, in the words of a job's state, or unreadable; absent if there
 *     is no such job, and in a list of jobs if it is not in the list
 */
public record PredecessorStatus(
    String job, Optional<String> uid, Predecessor.On on, Optional<String> state) {
  /**
   * In the order of the rules.
   *
   * @param states of jobs, by uid
   */
  static List<PredecessorStatus> of(AdmissionRules rules, Map<String, String> states) {
    return rules.after().stream()
        .map(p ->
            new PredecessorStatus(
                p.job(),
                p.uid(),
                p.on(),
                p.uid().flatMap(uid -> Optional.ofNullable(states.get(uid)))))
        .toList();
  }

  /** The states of what was found, by uid: one that cannot be read is there all the same. */
  static Map<String, String> states(QueryResult<Job> found) {
    var states = new HashMap<String, String>();
    for (var job :
        found.readable(unknown -> states.put(unknown.id(), WorkerStatusBuilder.UNREADABLE)))
      states.put(job.value().uid(), JobStatusBuilder.word(job.value().state()));
    return states;
  }
}
