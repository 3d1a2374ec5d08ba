package dev.mayfly.local.machines.tpu;

import com.google.cloud.tpu.v2.CreateNodeRequest;
import com.google.cloud.tpu.v2.Node;
import com.google.longrunning.Operation;
import com.google.protobuf.Empty;
import com.google.protobuf.util.Timestamps;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.StoredRecords;
import dev.mayfly.local.machines.StoredValues;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All TPU nodes of this cloud. Every change is durable before it is visible, and a restarted cloud
 * finds the running hosts. Refusals are gRPC statuses.
 */
public final class TpuNodes implements AutoCloseable {
  static final String CREATE = "create";
  static final String DELETE = "delete";
  private static final Logger LOG = LoggerFactory.getLogger(TpuNodes.class);

  private final CloudContext cloudContext;
  private final StoredValues<TpuNode> files;
  private final TpuOperations operations;
  private final TpuLimits limits = new TpuLimits();
  private final TpuPower power;
  private final TpuQueuedResources queue;
  private final Map<String, TpuNode> nodes = new TreeMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("tpu").factory());

  /**
   * Reads the state of an earlier process; {@link #begin} starts the nodes.
   *
   * @param folder the folder of nodes and operations
   */
  public TpuNodes(CloudContext cloudContext, Path folder) {
    this.cloudContext = cloudContext;
    this.power = new TpuPower(cloudContext);
    this.files =
        StoredRecords.of(
            folder.resolve("nodes"), TpuNode.class, Node.getDefaultInstance(), TpuNode::id);
    this.operations = new TpuOperations(folder.resolve("operations"), cloudContext.random());
    files.list(node -> true).forEach(node -> nodes.put(node.name(), node));
    this.queue = new TpuQueuedResources(this, cloudContext.clock(), folder.resolve("queue"));
  }

  /**
   * Finds the running hosts and resumes operations.
   *
   * @param url the URL of the simulated APIs for hosts
   */
  public synchronized void begin(String url) {
    power.begin(url);
    for (var node : List.copyOf(nodes.values())) {
      switch (node.state()) {
        case CREATING -> bootLater(node);
        case DELETING -> timer.execute(() -> end(node.name()));
        default -> power.find(node);
      }
    }
  }

  public TpuOperations operations() {
    return operations;
  }

  TpuQueuedResources queue() {
    return queue;
  }

  TpuLimits limits() {
    return limits;
  }

  synchronized Node get(String name) {
    return existing(name).node();
  }

  synchronized Optional<Node> find(String name) {
    return Optional.ofNullable(nodes.get(name)).map(TpuNode::node);
  }

  synchronized List<Node> list(Predicate<TpuNode> wanted) {
    return nodes.values().stream().filter(wanted).map(TpuNode::node).toList();
  }

  /** The zones that do not answer the current list. */
  Set<String> takeSilentZones() {
    return cloudContext.faultControls().takeSilentZones();
  }

  synchronized Operation create(CreateNodeRequest request) {
    var asked = TpuValidator.check(request);
    countCreation();
    var name = request.getParent() + "/nodes/" + request.getNodeId();
    if (nodes.containsKey(name)) throw TpuValidator.taken(name);
    var over = overQuota(name, asked);
    if (over.isPresent()) throw over.get().asRuntimeException();
    var reserved = asked.getSchedulingConfig().getReserved();
    return place(name, asked, reserved ? Optional.of("") : Optional.empty())
        .orElseGet(() -> refuse(name));
  }

  private Operation refuse(String name) {
    var operation = operations.begin(CREATE, name);
    var zone = TpuNode.zone(name);
    operations.fail(CREATE, name, Status.Code.RESOURCE_EXHAUSTED, noCapacity(zone));
    return operations.find(operation.getName()).orElseThrow();
  }

  void countCreation() {
    limits.countCreation(cloudContext.clock().instant());
  }

  /** The quota error for the node, if any, regardless of stock. */
  synchronized Optional<Status> overQuota(String name, Node asked) {
    var tpu = TpuHostSpecs.tpu(asked);
    var zone = TpuNode.zone(name);
    var inUse =
        chips(node ->
            node.zone().equals(zone)
                && TpuHostSpecs.tpu(node.node()).generation().equals(tpu.generation()));
    return limits.overQuota(tpu.generation(), zone, inUse, tpu.chips());
  }

  /**
   * Begins a node if capacity is available now; empty otherwise.
   *
   * @param reservation the reservation whose chips it takes
   */
  synchronized Optional<Operation> place(String name, Node asked, Optional<String> reservation) {
    var tpu = TpuHostSpecs.tpu(asked);
    var inUse = reservation.isEmpty() ? 0 : chips(node -> node.reservation().equals(reservation));
    if (!limits.isReserved(reservation, inUse + tpu.chips())
        || !cloudContext.faultControls().takeStock(TpuNode.zone(name), tpu.type())) {
      return Optional.empty();
    }
    var operation = operations.begin(CREATE, name);
    bootLater(put(fresh(name, asked, reservation)));
    return Optional.of(operation);
  }

  synchronized Operation delete(String name) {
    var node = existing(name);
    var operation = operations.begin(DELETE, name);
    if (node.state() != Node.State.DELETING) {
      put(node.withState(Node.State.DELETING));
      operations.fail(CREATE, name, Status.Code.CANCELLED, "Node " + name + " is being deleted");
      timer.execute(() -> end(name));
    }
    return operation;
  }

  /**
   * Preempts the node, which remains visible until it is deleted.
   *
   * @param notice the time from the notice to its hosts to the power cut; a cloud that restarts
   *     meanwhile forgets the cut
   */
  synchronized void preempt(String name, Duration notice) {
    var node = existing(name);
    if (notice.isZero()) {
      preempt(node);
      return;
    }
    power.announcePreemption(node);
    var _ =
        timer.schedule(() -> preemptAsAnnounced(node), notice.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** It may have been deleted or preempted since. */
  private synchronized void preemptAsAnnounced(TpuNode announced) {
    Optional.ofNullable(nodes.get(announced.name()))
        .filter(node -> node.id().equals(announced.id()) && node.state() == Node.State.READY)
        .ifPresent(this::preempt);
  }

  private void preempt(TpuNode node) {
    power.cut(node);
    put(node.withState(Node.State.PREEMPTED).withHandles(List.of()));
  }

  /** Removes the node without a trace. */
  synchronized void vanish(String name) {
    existing(name);
    end(name);
  }

  /** Kills one or all hosts without a change in the API. */
  synchronized void kill(String name, Optional<Integer> host) {
    host.ifPresentOrElse(i -> power.cut(existing(name), i), () -> power.cut(existing(name)));
  }

  /** Releases all hosts; running hosts continue without metadata servers. */
  @Override
  public void close() {
    timer.shutdownNow();
    synchronized (this) {
      power.detach();
    }
  }

  private int chips(Predicate<TpuNode> of) {
    return nodes.values().stream()
        .filter(of)
        .mapToInt(node -> TpuHostSpecs.tpu(node.node()).chips())
        .sum();
  }

  private TpuNode fresh(String name, Node asked, Optional<String> reservation) {
    var now = cloudContext.clock().instant();
    var node =
        asked.toBuilder()
            .setName(name)
            .setId(cloudContext.random().nextLong(1, Long.MAX_VALUE))
            .setState(Node.State.CREATING)
            .setCreateTime(Timestamps.fromMillis(now.toEpochMilli()))
            .build();
    var bootAt = now.plus(cloudContext.faultControls().bootDelay());
    return new TpuNode(node, network(), reservation, bootAt, List.of());
  }

  /** The first free subnet of the loopback network, or a shared one if none is free. */
  private int network() {
    var taken = nodes.values().stream().map(TpuNode::network).collect(Collectors.toSet());
    return IntStream.range(0, TpuHostSpecs.NETWORKS)
        .filter(n -> !taken.contains(n))
        .findFirst()
        .orElse(TpuHostSpecs.NETWORKS - 1);
  }

  private void bootLater(TpuNode node) {
    var left = Duration.between(cloudContext.clock().instant(), node.bootAt()).toMillis();
    var _ = timer.schedule(() -> boot(node.name()), Math.max(0, left), TimeUnit.MILLISECONDS);
  }

  private synchronized void boot(String name) {
    var node = nodes.get(name);
    if (node == null || node.state() != Node.State.CREATING) {
      return;
    }
    try {
      var ready =
          node.node().toBuilder()
              .setState(Node.State.READY)
              .setHealth(Node.Health.HEALTHY)
              .addAllNetworkEndpoints(TpuHostSpecs.endpoints(node))
              .build();
      var booted =
          put(
              new TpuNode(
                  ready, node.network(), node.reservation(), node.bootAt(), power.boot(node)));
      operations.finish(CREATE, name, booted.node());
    } catch (RuntimeException e) {
      LOG.error("TPU node {} cannot boot", name, e);
      operations.fail(CREATE, name, Status.Code.INTERNAL, "Cannot boot: " + e.getMessage());
      end(name);
    }
  }

  private synchronized void end(String name) {
    var node = nodes.remove(name);
    if (node != null) {
      power.cut(node);
      power.erase(node);
      files.remove(node.id());
    }
    operations.finish(DELETE, name, Empty.getDefaultInstance());
  }

  private TpuNode put(TpuNode node) {
    files.put(node);
    nodes.put(node.name(), node);
    return node;
  }

  private TpuNode existing(String name) {
    return Optional.ofNullable(nodes.get(name)).orElseThrow(() -> TpuValidator.notFound(name));
  }

  private static String noCapacity(String zone) {
    return ("There is no more capacity in the zone \"%s\"; you can try in another zone where Cloud"
            + " TPU Nodes are offered (see https://cloud.google.com/tpu/docs/regions)")
        .formatted(zone);
  }
}
