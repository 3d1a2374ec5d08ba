package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How documents name jobs: by name, by owner and name, or by uid. */
class JobAddressDocumentsTest {
  private static final String UID = "j0123456789abcde";

  private static List<ParsedDocument> parse(String text) {
    return UserDocuments.parse(text.getBytes(StandardCharsets.UTF_8), "", Map.of());
  }

  private static String stop(String job) {
    return "{apiVersion: mayfly.dev/v1, kind: StopJob, cluster: lab, job: '" + job + "'}";
  }

  private static String job(String owner, String after) {
    return """
    apiVersion: mayfly.dev/v1
    kind: Job
    name: train
    cluster: lab
    owner: %s
    tasks: {count: 1}
    command: [x]
    after: %s
    """
        .formatted(owner, after);
  }

  @ParameterizedTest
  @ValueSource(strings = {"train", "ann/train", "Ann.Lee+x@lab.org/train-2", UID})
  void addressOfAJobIsTaken(String address) {
    assertThat(parse(stop(address)).getFirst().command())
        .isEqualTo(new UserCommand.StopJob("lab", address));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/train", "ann/", "ann/train/3", "../train", "ann/Train", "a b/train"})
  void anythingElseIsRefused(String address) {
    assertThatThrownBy(() -> parse(stop(address)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("OWNER/NAME");
  }

  @Test
  void predecessorsAreNamedInTheSameWay() {
    var parsed = parse(job("ann", "[bob/prep, {job: " + UID + ", on: end}]"));
    var spec = ((UserCommand.SubmitJob) parsed.getFirst().command()).spec();

    assertThat(spec.admission().after())
        .containsExactly(
            new Predecessor("bob/prep", Optional.empty(), Predecessor.On.SUCCESS),
            new Predecessor(UID, Optional.of(UID), Predecessor.On.END));
  }

  @Test
  void ownersOfOneFileMayUseOneName() {
    var both = job("ann", "[a]") + "---\n" + job("bob", "[a]");

    assertThat(parse(both)).hasSize(2);
    assertThatThrownBy(() -> parse(both + "---\n" + job("ann", "[b]")))
        .hasMessageContaining("'train' is there twice");
  }
}
