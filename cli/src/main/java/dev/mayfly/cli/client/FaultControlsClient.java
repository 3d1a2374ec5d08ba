package dev.mayfly.cli.client;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sets the laptop cloud's fault controls: faults and limits of its simulated machines, or of its
 * control plane. A refusal is a {@link CommandException} with the laptop cloud's reason.
 */
public final class FaultControlsClient {
  private final HttpTransport httpTransport;
  private final String base;

  /**
   * @param server the URL of the laptop cloud's machines or of its control plane, without a
   *     trailing slash
   */
  public FaultControlsClient(HttpTransport httpTransport, String server) {
    this.httpTransport = httpTransport;
    base = server + "/_sim/";
  }

  /**
   * @param name the machine's name; {@code *} means all machines
   * @param faultControl for example {@code preempt}
   */
  public void machine(String name, String faultControl, Map<String, String> settings) {
    set("vms/" + HttpTransport.urlEncode(name) + "/" + faultControl, settings);
  }

  /** Limits the zone to {@code settings.n} more machines; without it, removes the limit. */
  public void stock(String zone, Map<String, String> settings) {
    set("zones/" + HttpTransport.urlEncode(zone) + "/stock", settings);
  }

  /**
   * Sets a fault control of the whole cloud, {@code boot-delay} for example, and returns what the
   * laptop cloud answers.
   */
  public String set(String faultControl, Map<String, String> settings) {
    var query =
        settings.entrySet().stream()
            .map(s ->
                HttpTransport.urlEncode(s.getKey()) + "=" + HttpTransport.urlEncode(s.getValue()))
            .sorted()
            .collect(Collectors.joining("&"));
    return answer(
        faultControl,
        httpTransport.post(
            base + faultControl + (query.isEmpty() ? "" : "?" + query), new byte[0]));
  }

  private static String answer(String asked, HttpTransport.Reply reply) {
    if (reply.ok()) return reply.text();
    var reason =
        new GoogleApis.ApiReply(reply.status(), reply.body())
            .message()
            .orElseGet(() -> reply.text().strip());
    throw new CommandException(
        exitCode(reply.status()),
        "the laptop cloud refuses " + asked + " (HTTP " + reply.status() + "): " + reason);
  }

  private static CommandExitCode exitCode(int status) {
    return switch (status) {
      case 401, 403 -> CommandExitCode.DENIED;
      case 404 -> CommandExitCode.NOT_FOUND;
      default -> CommandExitCode.INPUT;
    };
  }

  /** The machines and fault controls as JSON. */
  public String state() {
    return answer("state", httpTransport.get(base + "state"));
  }
}
