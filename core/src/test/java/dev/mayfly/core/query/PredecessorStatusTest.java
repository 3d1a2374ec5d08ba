package dev.mayfly.core.query;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.error.UnreadableDocument;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.QueryResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a job's status says of the jobs that it waits for. */
class PredecessorStatusTest {
  private static final Predecessor.On SUCCESS = Predecessor.On.SUCCESS;
  private static final Predecessor.On END = Predecessor.On.END;

  private static Predecessor after(String job, String uid, Predecessor.On on) {
    return new Predecessor(job, Optional.of(uid).filter(it -> !it.isEmpty()), on);
  }

  private static PredecessorStatus status(String job, String uid, Predecessor.On on, String state) {
    return new PredecessorStatus(
        job,
        Optional.of(uid).filter(it -> !it.isEmpty()),
        on,
        Optional.of(state).filter(it -> !it.isEmpty()));
  }

  @Test
  void eachHasItsUidEndAndState() {
    var rules =
        new AdmissionRules(
            List.of(
                after("prepare", "j1", SUCCESS),
                after("bob/train", "j2", END),
                after("j3", "j3", SUCCESS),
                after("late", "", END)));

    var found = PredecessorStatus.of(rules, Map.of("j1", "succeeded", "j2", "running"));

    assertThat(found)
        .containsExactly(
            status("prepare", "j1", SUCCESS, "succeeded"),
            status("bob/train", "j2", END, "running"),
            status("j3", "j3", SUCCESS, ""),
            status("late", "", END, ""));
  }

  /** A job may be called as the uid of another one looks. */
  @Test
  void nameIsNeverTakenForAUid() {
    var rules = new AdmissionRules(List.of(after("j1", "", SUCCESS)));

    assertThat(PredecessorStatus.of(rules, Map.of("j1", "running")))
        .containsExactly(status("j1", "", SUCCESS, ""));
  }

  @Test
  void jobWithoutPredecessorsNamesNone() {
    assertThat(PredecessorStatus.of(AdmissionRules.NONE, Map.of("j1", "running"))).isEmpty();
  }

  private static VersionedDocument<Job> job(String uid, JobState state) {
    var spec = SpecFixtures.job(3, SpecFixtures.run("train"));
    var tasks = new JobTasks(3, Optional.empty(), 3);
    var job =
        new Job("u1", uid, spec, "h", state, tasks, NOW, NOW, Optional.empty(), Optional.empty());
    return new VersionedDocument<>(job, "1");
  }

  private static JobState ended(JobState.Result result) {
    var totals = new TaskTotals(3, 0, 0, 0, 1);
    return new JobState.Ended(NOW, result, "3 done", totals, Map.of(), Optional.empty());
  }

  @Test
  void statesAreTheWordsOfAJobsStatus() {
    var found =
        List.of(
            job("j1", new JobState.Waiting(NOW)),
            job("j2", new JobState.Expanding("", 0, -1)),
            job("j3", new JobState.Running(NOW)),
            job("j4", new JobState.Stopping(NOW, "ann")),
            job("j5", new JobState.Finishing(NOW, false)),
            job("j6", ended(JobState.Result.SUCCEEDED)),
            job("j7", ended(JobState.Result.FAILED)),
            job("j8", ended(JobState.Result.STOPPED)));

    assertThat(PredecessorStatus.states(new QueryResult<>(found, List.of())))
        .containsOnly(
            Map.entry("j1", "waiting"),
            Map.entry("j2", "expanding"),
            Map.entry("j3", "running"),
            Map.entry("j4", "stopping"),
            Map.entry("j5", "finishing"),
            Map.entry("j6", "succeeded"),
            Map.entry("j7", "failed"),
            Map.entry("j8", "stopped"));
  }

  @Test
  void unreadableJobIsNotAbsent() {
    var unknown = new UnreadableDocument("clusters/u1/jobs/j9", "state: hibernating?", "a test");

    assertThat(PredecessorStatus.states(new QueryResult<>(List.of(), List.of(unknown))))
        .containsOnly(Map.entry("j9", "unreadable"));
  }
}
