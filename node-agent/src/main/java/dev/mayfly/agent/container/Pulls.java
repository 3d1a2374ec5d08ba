package dev.mayfly.agent.container;

import dev.mayfly.agent.os.Tool;
import dev.mayfly.agent.os.Tool.Ran;
import dev.mayfly.core.error.MayflyException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * Brings images to this machine, each one at a time. After a failure the next pull of that image
 * waits before it asks again, longer each time: neither a registry that counts pulls nor a task's
 * budget of attempts is used up by asking at once.
 */
final class Pulls {
  /** What the engine knows by itself it says in much less, if it works at all. */
  private static final Duration ANSWER = Duration.ofMinutes(1);

  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private static final Pattern LIMITED =
      Pattern.compile("toomanyrequests|too many requests|\\b429\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern REFUSED =
      Pattern.compile("unauthorized|denied|\\b40[13]\\b", Pattern.CASE_INSENSITIVE);
  private static final Pattern ABSENT =
      Pattern.compile("manifest unknown|name unknown|manifest for \\S+ not found|: not found$");

  private final Map<String, String> environment;
  private final RegistryLogin login;
  private final ContainerEngine.Pause pause;
  private final Map<String, Turn> turns = new ConcurrentHashMap<>();

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

  Pulled pull(String program, String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    var turn = turns.computeIfAbsent(image, i -> new Turn());
    turn.lock.lockInterruptibly();
    try {
      var there =
          new Tool(environment).run(ANSWER, List.of(program, "image", "inspect", "--", image));
      if (there instanceof Ran.TimedOut)
        return new Pulled.Failed(program + " does not answer; image " + image + " is asked for");
      if (there instanceof Ran.Ended ended && ended.ok()) return new Pulled.Here();
      if (turn.failures > 0) pause.of(before(turn.failures));
      var pulled = fetch(program, image, logins, limit);
      turn.failures = pulled instanceof Pulled.Here ? 0 : turn.failures + 1;
      return pulled;
    } finally {
      turn.lock.unlock();
    }
  }

  /** Between the n-th failure in a row and the next try. */
  static Duration before(int failures) {
    var pause = FIRST.multipliedBy(1L << Math.min(failures - 1, 20));
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }

  private Pulled fetch(String program, String image, Map<String, String> logins, Duration limit)
      throws InterruptedException {
    try (var open = login.open(image, logins)) {
      var variables = new HashMap<>(environment);
      variables.putAll(open.variables());
      var ran = new Tool(variables).run(limit, List.of(program, "pull", "--quiet", "--", image));
      return switch (ran) {
        case Ran.Missing missing -> new Pulled.Failed("no container engine for image " + image);
        case Ran.TimedOut late ->
            new Pulled.Failed(
                "image " + image + " was not pulled within " + limit.toMinutes() + " min");
        case Ran.Ended ended ->
            ended.ok() ? new Pulled.Here() : failed(image, open.redact(ended.output()));
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
