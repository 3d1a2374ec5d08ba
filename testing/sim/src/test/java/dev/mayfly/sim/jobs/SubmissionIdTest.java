package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A submission id identifies one job. */
class SubmissionIdTest {
  private static final String USED = "was used by job r";

  private final LabCluster labCluster = new LabCluster();

  /** Otherwise the second job would silently never start. */
  @Test
  void submissionOfAnotherJobIsRefused() {
    var id = Optional.of("nightly-7");
    labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 10), id));

    var again = labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 10), id));
    var changed = labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 11), id));
    var renamed = labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("weekly", 10), id));

    assertThat(labCluster.refused(again)).isEmpty();
    assertThat(labCluster.refused(changed))
        .singleElement()
        .asString()
        .contains("submission", "was used by job r", "choose another id");
    assertThat(labCluster.refused(renamed))
        .singleElement()
        .asString()
        .contains("was used by job r");
    assertThat(labCluster.jobs()).hasSize(1);
  }

  /** The job has its content itself: its name may be another job's by now. */
  @Test
  void otherContentIsRefusedAfterALaterJob() {
    publish("first", 10);
    labCluster.stop("r");
    labCluster.deliver();
    publish("next", 11);

    assertThat(labCluster.refused(publish("first", 12))).singleElement().asString().contains(USED);
    assertThat(labCluster.refused(publish("first", 11))).singleElement().asString().contains(USED);
    assertThat(labCluster.refused(publish("first", 10))).isEmpty();
    assertThat(labCluster.jobs()).hasSize(2);
  }

  @Test
  void idOfARepeatRefusesOtherContent() {
    publish("first", 10);
    publish("same", 10);

    assertThat(labCluster.refused(publish("same", 11))).singleElement().asString().contains(USED);
    labCluster.stop("r");
    labCluster.deliver();
    publish("next", 11);
    assertThat(labCluster.refused(publish("same", 11))).singleElement().asString().contains(USED);
    assertThat(labCluster.refused(publish("same", 10))).isEmpty();
  }

  @Test
  void onlyAnAcceptedMessageFindsItsJob() {
    var first = publish("first", 10);
    var refused = publish("first", 11);
    var again = publish("first", 10);

    assertThat(found("first", Optional.of(first.id()))).isEqualTo(labCluster.job("r").uid());
    assertThat(found("first", Optional.of(again.id()))).isEqualTo(labCluster.job("r").uid());
    assertThatThrownBy(() -> found("first", Optional.of(refused.id())))
        .isInstanceOf(UnknownNameException.class);
  }

  @Test
  void onlyARepeatFindsTheLiveJob() {
    publish("first", 10);
    publish("same", 10);
    publish("other", 11);

    var first = labCluster.job("r").uid();
    assertThat(found("first")).isEqualTo(first);
    assertThat(found("same")).isEqualTo(first);
    assertThatThrownBy(() -> found("other")).isInstanceOf(UnknownNameException.class);
  }

  @Test
  void repeatOfEarlierJobDoesNotFindTheNext() {
    publish("first", 10);
    publish("same", 10);
    labCluster.stop("r");
    labCluster.deliver();
    assertThat(found("same")).isEqualTo(labCluster.job("r").uid());
    publish("next", 11);

    assertThat(found("next")).isEqualTo(labCluster.job("r").uid());
    assertThatThrownBy(() -> found("same")).isInstanceOf(UnknownNameException.class);
    publish("again", 11);
    assertThat(found("again")).isEqualTo(labCluster.job("r").uid());
  }

  /** An event of an older version has another id, and no message's. */
  @Test
  void jobIsFoundByAnOlderVersionsEvent() {
    publish("first", 10);
    var id = EventRecord.formerId(EventRecord.RECEIVED, "old-1");
    var cluster = labCluster.uid;
    assertThatThrownBy(() -> found("first", Optional.of("old-1")))
        .isInstanceOf(UnknownNameException.class);

    labCluster.store.commit(
        List.of(
            new LedgerWrite.Put(
                new EventRecord(
                    cluster, id, labCluster.time.instant(), "job/r", "received", "submit"))));

    assertThat(found("first", Optional.of("old-1"))).isEqualTo(labCluster.job("r").uid());
  }

  private UserMessage publish(String submission, long tasks) {
    return labCluster.publish(
        new UserCommand.SubmitJob(LabCluster.count("r", tasks), Optional.of(submission)));
  }

  private String found(String submission) {
    return found(submission, Optional.empty());
  }

  private String found(String submission, Optional<String> message) {
    var uid = UserCommand.SubmitJob.uid(submission);
    return labCluster.controlPlane.statusQueries().submitted("lab", "r", uid, message).uid();
  }
}
