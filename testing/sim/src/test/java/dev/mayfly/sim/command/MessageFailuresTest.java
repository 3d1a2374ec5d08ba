package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.ErrorStatus;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.sim.fixture.LabCluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** User messages under failures that are not, or may not be, the user's fault. */
class MessageFailuresTest {
  private final LabCluster labCluster = new LabCluster();
  private boolean failing = true;

  /** Exceptions that readers of documents have thrown, or may throw. */
  static List<Throwable> mistakes() {
    return List.of(
        new IllegalArgumentException("a number"),
        new IndexOutOfBoundsException("half a character"),
        new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void rejectsMessageWhoseReadingFails(Throwable mistake) {
    var codec =
        failing(Codec.class, labCluster.codec, (m, _) -> m.equals("commands"), () -> mistake);
    var userMessage = labCluster.message(submission("a"));

    labCluster.control("b", labCluster.ledger, codec).commandHandler().handle(userMessage);

    assertThat(labCluster.refused(userMessage))
        .singleElement()
        .asString()
        .contains("cannot be read", mistake.getClass().getSimpleName());
  }

  @Test
  void keepsSubmissionWhileOwnRightsAreMissing() {
    var ledger =
        failing(
            Ledger.class,
            labCluster.ledger,
            (_, _) -> true,
            () -> new MissingPermissionException("Firestore refuses a read: UNAUTHENTICATED"));
    var commandHandler = labCluster.control("b", ledger, labCluster.codec).commandHandler();
    var userMessage = labCluster.message(submission("a"));
    labCluster.advance(Duration.ofHours(3).toMillis());

    assertThatThrownBy(() -> commandHandler.handle(userMessage))
        .satisfies(e -> assertThat(ErrorStatus.of(e).redeliver()).isTrue());
    failing = false;
    assertThat(labCluster.refused(userMessage)).isEmpty();
    commandHandler.handle(userMessage);

    assertThat(jobs()).containsExactly("a");
  }

  @Test
  void acceptsOtherJobsBesideMistake() {
    BiPredicate<String, Object[]> hashing =
        (m, args) -> m.equals("hash") && args[0] instanceof JobSpec j && j.name().equals("a");
    var codec =
        failing(Codec.class, labCluster.codec, hashing, () -> new IllegalStateException("no hash"));
    var commandHandler = labCluster.control("b", labCluster.ledger, codec).commandHandler();
    var userMessage = labCluster.message(submission("a"), submission("b"));

    assertThatThrownBy(() -> commandHandler.handle(userMessage)).hasMessage("no hash");
    assertThat(jobs()).containsExactly("b");
    assertThat(labCluster.refused(userMessage)).isEmpty();
    // The mistake is logged with its stack.
    assertThatThrownBy(() -> labCluster.advance(Duration.ofHours(2).toMillis()))
        .hasRootCauseMessage("no hash");
    labCluster.advance(Duration.ofHours(2).toMillis());
    commandHandler.handle(userMessage);

    assertThat(labCluster.refused(userMessage))
        .singleElement()
        .asString()
        .contains("job a", "no hash");
    assertThat(jobs()).containsExactly("b");
  }

  private static UserCommand submission(String name) {
    return new UserCommand.SubmitJob(LabCluster.count(name, 4), Optional.of("s-" + name));
  }

  private List<String> jobs() {
    return CommandSequence.documents(labCluster, Job.class).stream()
        .map(j -> j.spec().name())
        .toList();
  }

  /** The port, whose calls of a kind throw while {@link #failing}. */
  private <P> P failing(
      Class<P> port, P real, BiPredicate<String, Object[]> calls, Supplier<Throwable> failure) {
    var proxy =
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, method, args) -> {
              if (failing && calls.test(method.getName(), args)) throw failure.get();
              try {
                return method.invoke(real, args);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
    return port.cast(proxy);
  }
}
