package dev.mayfly.core.agent.output;

import static dev.mayfly.core.agent.AgentFixtures.T0;
import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A result is not replaced, by whichever sentinel it is one. */
class OtherSentinelTest {
  private static final String FOLDER = "gs://lab/aa";
  private static final String INDEX = FOLDER + "/index.json";
  private static final Map<String, String> OF_J2 =
      Map.of("mayfly-job", "j2", "mayfly-task", "0", "mayfly-attempt", "s0e1");

  private final MemoryObjectStore objects = new MemoryObjectStore();
  private final ObjectEffectExecutor objectEffectExecutor =
      new ObjectEffectExecutor(objects, new PlainCodec(), "w1");

  private AgentEvent upload(String output, ProducedOutput left) {
    var jobInfo = with(SpecFixtures.uploads(Optional.of(output)));
    return objectEffectExecutor.upload(AgentFixtures.upload(attempt(0, 3), jobInfo), left);
  }

  private static ObjectStore.Content content(String text) {
    return ObjectStore.Content.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ProducedOutput file() {
    return new ProducedOutput.OneFile(content("mine"));
  }

  private static ProducedOutput folder() {
    var entry = new ProducedOutput.Entry("a.txt", content("mine"));
    return new ProducedOutput.Directory(List.of(entry), List.of());
  }

  /** Job j2's result at {@code url}, with its sentinel beside {@code output}. */
  private void sealed(String url, String output) {
    objects.put(url, "result", OF_J2);
    var info = objects.find(ObjectUrl.of(url)).orElseThrow();
    var stored = OutputObject.adopted(Sentinel.by(info.metadata()).orElseThrow(), info);
    objects.put(output + Sentinel.SUFFIX, "", stored.sentinel("w1", T0).metadata());
  }

  private void assertRefused(AgentEvent answer, String at) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            AgentEvent.OutputExists.class,
            refused ->
                assertThat(refused.evidence()).contains(at, "task 0 of job j2", "another place"));
    assertThat(objects.text(at)).isEqualTo("result");
  }

  @Test
  void indexOfAFolderReplacesNoOtherResult() {
    sealed(INDEX, INDEX);

    assertRefused(upload(FOLDER, folder()), INDEX);
  }

  @Test
  void fileReplacesNoIndexOfASealedFolder() {
    sealed(INDEX, FOLDER);

    assertRefused(upload(INDEX, file()), INDEX);
  }

  @Test
  void sentinelOfAnotherResultIsNotReplaced() {
    sealed("gs://lab/bb", "gs://lab/bb");

    assertThat(upload("gs://lab/bb" + Sentinel.SUFFIX, file()))
        .isInstanceOf(AgentEvent.OutputExists.class);
  }

  @Test
  void unsealedIndexIsReplaced() {
    objects.put(INDEX, "of an attempt without a sentinel", OF_J2);

    var answer = upload(FOLDER, folder());

    assertThat(answer)
        .isInstanceOfSatisfying(
            AgentEvent.Uploaded.class,
            uploaded ->
                assertThat(uploaded.output()).extracting(StoredOutput::job).isEqualTo("j1"));
  }

  /** The folder was replaced by a file, which the sentinel beside it pins. */
  @Test
  void sentinelOfAnotherGenerationPinsNothing() {
    objects.put(INDEX, "left", OF_J2);
    sealed(FOLDER, FOLDER);

    assertThat(upload(INDEX, file())).isInstanceOf(AgentEvent.Uploaded.class);
  }
}
