package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import com.google.cloud.functions.HttpFunction;
import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.control.Vigil;
import dev.mayfly.core.model.Topic;
import java.util.Optional;

/**
 * All of Mayfly's entry points, made from the ports: the same for Google Cloud and for a laptop.
 *
 * <p>One deployment is what one function instance has; nothing in it must survive the process.
 */
public final class Deployment implements AutoCloseable {
  private final Control control;
  private final CloudEventsFunction jobs;
  private final CloudEventsFunction clusters;
  private final CloudEventsFunction autoscale;
  private final CloudEventsFunction cleanup;
  private final CloudEventsFunction vmEvents;
  private final HttpFunction workers;
  private final HttpFunction api;

  private Deployment(Control control, Ports ports, Identity identity) {
    this.control = control;
    jobs = new MessagesFunction(control, Topic.JOBS, ports.clock());
    clusters = new MessagesFunction(control, Topic.CLUSTERS, ports.clock());
    autoscale = ticks(control, ports, TicksFunction.Role.AUTOSCALE);
    cleanup = ticks(control, ports, TicksFunction.Role.CLEANUP);
    vmEvents = new VmEventsFunction(control, ports.clock());
    workers = new WorkersFunction(control.desk(), identity);
    api = new ApiFunction(control.views(), control::cleanupView, ports.clock());
  }

  private static TicksFunction ticks(Control control, Ports ports, TicksFunction.Role role) {
    return new TicksFunction(control, role, ports.alarms(), ports.clock());
  }

  /**
   * @param instance a name that no other instance has, or had within the last minutes
   * @param workersUrl where agents sync, without {@code /v1/sync}
   */
  public static Deployment of(Ports ports, Rules rules, String instance, String workersUrl) {
    var control = new Control(ports, rules, instance, workersUrl);
    return new Deployment(control, ports, Identity.notAsked());
  }

  /**
   * The same where each call of an agent has to prove by an identity token for {@code workersUrl}
   * which machine it comes from. Only the token's claims are read: its signature is for whoever
   * lets the call in.
   */
  public static Deployment withIdentity(
      Ports ports, Rules rules, String instance, String workersUrl, Accounts accounts) {
    var control = new Control(ports, rules, instance, workersUrl);
    var identity = Identity.required(workersUrl, accounts, ports.clock());
    return new Deployment(control, ports, identity);
  }

  /** The same for one of several processes, of which none goes on between two calls. */
  static Deployment of(
      Ports ports,
      Rules rules,
      String instance,
      String workersUrl,
      Vigil vigil,
      Identity identity) {
    var control = new Control(ports, rules, instance, workersUrl, Optional.of(vigil));
    return new Deployment(control, ports, identity);
  }

  /**
   * Topic {@code mayfly-jobs}: jobs and the verbs that change them, and hints to go on with one.
   */
  public CloudEventsFunction jobs() {
    return jobs;
  }

  /** Topic {@code mayfly-clusters}. */
  public CloudEventsFunction clusters() {
    return clusters;
  }

  /** Topic {@code mayfly-ticks}: rounds. */
  public CloudEventsFunction autoscale() {
    return autoscale;
  }

  /** Topic {@code mayfly-ticks}: what the cloud has is compared with the ledger. */
  public CloudEventsFunction cleanup() {
    return cleanup;
  }

  /** Topic {@code mayfly-vm-events}: the audit log's entries about machines. */
  public CloudEventsFunction vmEvents() {
    return vmEvents;
  }

  /** HTTP: {@code POST /v1/sync}. */
  public HttpFunction workers() {
    return workers;
  }

  /** HTTP: what people and the CLI read. */
  public HttpFunction api() {
    return api;
  }

  @Override
  public void close() {
    control.close();
  }
}
