package dev.mayfly.agent.container;

import dev.mayfly.agent.os.Tool;
import dev.mayfly.agent.os.Tool.Ran;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.model.ExactImage;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings images to this machine, each one at a time. After a failure the next pull of that image
 * waits before it asks again, longer each time: neither a registry that counts pulls nor a task's
 * budget of attempts is used up by asking at once.
 */
final class Pulls {
  private static final Logger LOG = LoggerFactory.getLogger(Pulls.class);

  /** What the engine knows by itself it says in much less, if it works at all. */
  private static final Duration ANSWER = Duration.ofMinutes(1);

  /** An image may have several names, of 500 characters each. */
  private static final int NAMES = 16_000;

  private static final int TAGS = 1_000;
  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final Pattern LIMITED =
      Pattern.compile("toomanyrequests|too many requests|\\b429\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern REFUSED =
      Pattern.compile(
          "unauthorized|denied|no basic auth credentials|\\b40[13]\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern ABSENT =
      Pattern.compile("manifest unknown|name unknown|manifest for \\S+ not found|: not found$");

  private final Map<String, String> environment;
  private final RegistryLogin login;
  private final ContainerEngine.Pause pause;
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();

  /** What tags named, by job and image; empty for an image that came from no registry. */
  private final Map<String, Optional<ExactImage>> tags = new ConcurrentHashMap<>();

  Pulls(Map<String, String> environment, RegistryLogin login, ContainerEngine.Pause pause) {
    this.environment = environment;
    this.login = login;
    this.pause = pause;
  }

  /** Who pulls an image now, and how many pulls of it failed in a row. */
  private static final class Turn {
    final ReentrantLock lock = new ReentrantLock();
    int failures;
  }

  /**
   * What is wanted.
   *
   * @param logins references to secrets, by host
   * @param limit with the pause before it
   */
  record Wish(String program, String image, Map<String, String> logins, Duration limit) {
    Wish of(String other) {
      return new Wish(program, other, logins, limit);
    }

    Wish within(Duration left) {
      return new Wish(program, image, logins, left);
    }
  }

  /** Brings an image here; one that is here is not asked for again. */
  Pulled pull(Wish wish) throws InterruptedException {
    var turn = turn(wish);
    turn.lock.lockInterruptibly();
    try {
      return switch (inspect(wish)) {
        case Ran.Ended there when there.ok() -> new Pulled.Here(Optional.empty());
        case Ran.TimedOut silent -> silent(wish);
        default -> waitAndFetch(wish, turn);
      };
    } finally {
      turn.lock.unlock();
    }
  }

  /**
   * Brings here what the image's tag names. The registry is asked once for each job, also if the
   * image is here, for the tag may have moved since; and what it answers first is the job's image
   * from then on.
   */
  Pulled pullTag(String job, Wish wish) throws InterruptedException {
    var name = job + " " + wish.image();
    var turn = turn(wish);
    turn.lock.lockInterruptibly();
    try {
      if (!tags.containsKey(name)) return firstOfJob(name, wish, turn);
    } finally {
      turn.lock.unlock();
    }
    var known = Optional.ofNullable(tags.get(name)).flatMap(k -> k);
    var pulled = pull(known.map(exact -> wish.of(exact.name())).orElse(wish));
    return pulled instanceof Pulled.Here ? new Pulled.Here(known) : pulled;
  }

  private Pulled firstOfJob(String name, Wish wish, Turn turn) throws InterruptedException {
    var there = inspect(wish);
    if (there instanceof Ran.TimedOut) return silent(wish);
    var here = there instanceof Ran.Ended ended && ended.ok();
    var pulled = here ? fetch(wish) : waitAndFetch(wish, turn);
    if (!(pulled instanceof Pulled.Here) && !here) return pulled;
    // Better what was pulled before, or was made here, than nothing.
    pulled.cause().ifPresent(c -> LOG.warn("image is used as it is here cause={}", c));
    var exact =
        inspect(wish) instanceof Ran.Ended ended
            ? Digests.of(wish.image(), ended.output())
            : Optional.<ExactImage>empty();
    // Who is asked for so many jobs asks the registry again.
    if (tags.size() >= TAGS) tags.clear();
    tags.put(name, exact);
    return new Pulled.Here(exact);
  }

  private Turn turn(Wish wish) {
    return turns.computeIfAbsent(wish.image(), i -> new Turn());
  }

  private Ran inspect(Wish wish) throws InterruptedException {
    var argv = List.of(wish.program(), "image", "inspect", Digests.FORMAT, "--", wish.image());
    return new Tool(environment, NAMES).run(ANSWER, argv);
  }

  private static Pulled silent(Wish wish) {
    return new Pulled.Failed(
        wish.program() + " does not answer; image " + wish.image() + " is asked for");
  }

  private Pulled waitAndFetch(Wish wish, Turn turn) throws InterruptedException {
    var before = turn.failures == 0 ? Duration.ZERO : before(turn.failures);
    var most = wish.limit().dividedBy(2);
    var pause = before.compareTo(most) < 0 ? before : most;
    if (pause.isPositive()) this.pause.of(pause);
    var pulled = fetch(wish.within(wish.limit().minus(pause)));
    turn.failures = pulled instanceof Pulled.Here ? 0 : turn.failures + 1;
    return pulled;
  }

  /** Between the n-th failure in a row and the next try. */
  static Duration before(int failures) {
    var pause = FIRST.multipliedBy(1L << Math.min(failures - 1, 20));
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }

  private Pulled fetch(Wish wish) throws InterruptedException {
    var image = wish.image();
    try (var open = login.open(image, wish.logins())) {
      var variables = new HashMap<>(environment);
      variables.putAll(open.variables());
      var argv = List.of(wish.program(), "pull", "--quiet", "--", image);
      return switch (new Tool(variables).run(wish.limit(), argv)) {
        case Ran.Missing missing -> new Pulled.Failed("no container engine for image " + image);
        case Ran.TimedOut late ->
            new Pulled.Failed(
                "image " + image + " was not pulled within " + wish.limit().toMinutes() + " min");
        case Ran.Ended ended ->
            ended.ok()
                ? new Pulled.Here(Optional.empty())
                : failed(image, open.redact(ended.output()));
      };
    } catch (MayflyException | IOException e) {
      return new Pulled.Failed("image " + image + ": " + e.getMessage());
    }
  }

  private static Pulled failed(String image, String said) {
    var what = "image " + image + ": ";
    if (LIMITED.matcher(said).find())
      return new Pulled.Failed(
          what
              + "its registry takes no more pulls for now; a login in 'registries' may allow more ("
              + said
              + ")");
    if (REFUSED.matcher(said).find())
      return new Pulled.Failed(
          what + "the registry does not let this machine read it (" + said + ")");
    if (ABSENT.matcher(said).find())
      return new Pulled.Absent(what + "there is no such image in the registry (" + said + ")");
    return new Pulled.Failed(what + said);
  }
}
