package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.error.Verdict;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.port.Ledger;
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

/**
 * What becomes of a user's message when something fails that is not the user's fault, or might be.
 */
class MessageFailuresTest {
  private final Lab lab = new Lab();
  private boolean failing = true;

  /** What readers of documents have thrown, or may. */
  static List<Throwable> mistakes() {
    return List.of(
        new IllegalArgumentException("a number"),
        new IndexOutOfBoundsException("half a character"),
        new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void rejectsMessageWhoseReadingFails(Throwable mistake) {
    var codec = failing(Codec.class, lab.codec, (m, _) -> m.equals("commands"), () -> mistake);
    var message = lab.message(submission("a"));

    lab.control("b", lab.ledger, codec).intake().receive(message);

    assertThat(lab.refused(message))
        .singleElement()
        .asString()
        .contains("cannot be read", mistake.getClass().getSimpleName());
  }

  @Test
  void keepsSubmissionWhileOwnRightsAreMissing() {
    var ledger =
        failing(
            Ledger.class,
            lab.ledger,
            (_, _) -> true,
            () -> new MissingPermission("Firestore refuses a read: UNAUTHENTICATED"));
    var intake = lab.control("b", ledger, lab.codec).intake();
    var message = lab.message(submission("a"));
    lab.pass(Duration.ofHours(3).toMillis());

    assertThatThrownBy(() -> intake.receive(message))
        .satisfies(e -> assertThat(Verdict.of(e).redeliver()).isTrue());
    failing = false;
    assertThat(lab.refused(message)).isEmpty();
    intake.receive(message);

    assertThat(jobs()).containsExactly("a");
  }

  @Test
  void acceptsOtherJobsBesideMistake() {
    BiPredicate<String, Object[]> hashing =
        (m, args) -> m.equals("hash") && args[0] instanceof JobSpec j && j.name().equals("a");
    var codec =
        failing(Codec.class, lab.codec, hashing, () -> new IllegalStateException("no hash"));
    var intake = lab.control("b", lab.ledger, codec).intake();
    var message = lab.message(submission("a"), submission("b"));

    assertThatThrownBy(() -> intake.receive(message)).hasMessage("no hash");
    assertThat(jobs()).containsExactly("b");
    assertThat(lab.refused(message)).isEmpty();
    // The mistake is logged with its stack.
    assertThatThrownBy(() -> lab.pass(Duration.ofHours(2).toMillis()))
        .hasRootCauseMessage("no hash");
    lab.pass(Duration.ofHours(2).toMillis());
    intake.receive(message);

    assertThat(lab.refused(message)).singleElement().asString().contains("job a", "no hash");
    assertThat(jobs()).containsExactly("b");
  }

  private static Command submission(String name) {
    return new Command.SubmitJob(Lab.count(name, 4), Optional.of("s-" + name));
  }

  private List<String> jobs() {
    return CommandSequence.documents(lab, Job.class).stream().map(j -> j.spec().name()).toList();
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
