package dev.mayfly.cli.reach;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Turns the laptop cloud's dials: faults and limits of the machines that it simulates. */
public final class Dials {
  private final Http http;
  private final String base;

  /**
   * @param cloud the simulated cloud, without a slash at the end
   */
  public Dials(Http http, String cloud) {
    this.http = http;
    base = cloud + "/_sim/";
  }

  /**
   * @param name the machine's; {@code *} means every one
   * @param dial for example {@code preempt}
   */
  public void machine(String name, String dial, Map<String, String> settings) {
    turn("vms/" + Http.part(name) + "/" + dial, settings);
  }

  /** Room for {@code settings.n} more machines; for any number without it. */
  public void stock(String zone, Map<String, String> settings) {
    turn("zones/" + Http.part(zone) + "/stock", settings);
  }

  /** Turns a dial of the whole cloud: quota, boot-delay, lost-replies, rate-limit. */
  public void turn(String dial, Map<String, String> settings) {
    var query =
        settings.entrySet().stream()
            .map(s -> Http.part(s.getKey()) + "=" + Http.part(s.getValue()))
            .sorted()
            .collect(Collectors.joining("&"));
    var reply = http.post(base + dial + (query.isEmpty() ? "" : "?" + query), new byte[0]);
    if (reply.ok()) return;
    var exit = reply.status() == 404 ? Exit.NOT_FOUND : Exit.INPUT;
    throw new Refusal(
        exit,
        "the laptop cloud refuses " + dial + " (HTTP " + reply.status() + "): " + reason(reply));
  }

  /** The machines and dials as JSON. */
  public String state() {
    return http.get(base + "state").text();
  }

  private static String reason(Http.Reply reply) {
    var text = new String(reply.body(), StandardCharsets.UTF_8);
    var at = text.indexOf("\"message\"");
    if (at < 0) return text.strip();
    var from = text.indexOf('"', text.indexOf(':', at)) + 1;
    return text.substring(from, Math.max(from, text.indexOf('"', from)));
  }
}
