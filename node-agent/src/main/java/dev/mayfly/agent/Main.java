package dev.mayfly.agent;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node agent's process. It takes no arguments: {@link NodeSettings} come from the machine's
 * metadata and the environment.
 *
 * <p>Exit codes: 0 ended on request, 42 power off the machine (the service's unit does it), 70 bug,
 * 75 a restart may help, 78 invalid settings.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  /** Runs until the machine or the agent has to end. */
  public static void main(String[] arguments) {
    AgentLogFormatter.install();
    // The loop makes a new report for each retry, so never resend an old one.
    System.setProperty("sun.net.http.retryPost", "false");
    System.exit(run(System.getenv()));
  }

  private static int run(Map<String, String> environment) {
    try {
      return AgentWiring.of(environment).run();
    } catch (InvalidInputException e) {
      pause(environment, "invalid settings: " + e.getMessage());
      return AgentExit.BAD_SETTINGS;
    } catch (MayflyException | IOException e) {
      pause(environment, String.valueOf(e.getMessage()));
      return AgentExit.TRY_AGAIN;
    } catch (RuntimeException e) {
      LOG.error("agent stopped by a bug", e);
      pause(environment, e.toString());
      return AgentExit.BUG;
    }
  }

  /** What started this process starts another one at its end. A person waits for no pause. */
  private static void pause(Map<String, String> environment, String reason) {
    var pause = new FailedStarts(environment).add(reason);
    if (ParentWatch.wanted(environment)) return;
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
