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
 * <p>It exits with 0 when it was asked to end, 42 when the machine is to be switched off (the
 * service's unit does that), 70 for a bug, 75 for what a restart may mend, 78 for wrong settings.
 */
public final class Main {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  /** Runs until the machine is to end, or the agent is asked to. */
  public static void main(String[] arguments) {
    AgentLogFormatter.install();
    // A report is told once: by the next try the truth is another.
    System.setProperty("sun.net.http.retryPost", "false");
    System.exit(run(System.getenv()));
  }

  private static int run(Map<String, String> environment) {
    try {
      return AgentWiring.of(environment).run();
    } catch (InvalidInputException e) {
      LOG.error("settings are wrong: {}", e.getMessage());
      return AgentExit.BAD_SETTINGS;
    } catch (MayflyException | IOException e) {
      LOG.error("agent cannot start: {}", e.getMessage());
      return AgentExit.TRY_AGAIN;
    } catch (RuntimeException e) {
      LOG.error("agent ends by a bug", e);
      return AgentExit.BUG;
    }
  }
}
