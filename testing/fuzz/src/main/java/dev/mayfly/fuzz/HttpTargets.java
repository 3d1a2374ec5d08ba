package dev.mayfly.fuzz;

import dev.mayfly.fuzz.FuzzTargets.NamedTarget;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.cloud.FaultControlHandler;
import dev.mayfly.local.control.FunctionHost;
import dev.mayfly.local.control.IdentityTokenFilter;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.Route;
import dev.mayfly.local.machines.BootCommand;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.FaultControls;
import dev.mayfly.local.machines.Hypervisor;
import dev.mayfly.local.machines.IdentityTokenSigner;
import dev.mayfly.local.machines.compute.ComputeApi;
import dev.mayfly.local.machines.compute.ComputeMachines;
import dev.mayfly.local.machines.compute.MachineFaultControls;
import dev.mayfly.local.machines.tpu.TpuFaultControls;
import dev.mayfly.local.machines.tpu.TpuNodes;
import dev.mayfly.local.pubsub.PubSubApi;
import dev.mayfly.local.pubsub.PushEndpoint;
import dev.mayfly.local.pubsub.PushFaults;
import dev.mayfly.local.secrets.SecretManagerApi;
import dev.mayfly.local.secrets.SecretStore;
import dev.mayfly.local.storage.StorageApi;
import dev.mayfly.local.storage.bucket.ObjectRights;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * HTTP requests to the laptop cloud's storage, messages and secrets. Each input gets new servers,
 * so that results repeat.
 */
final class HttpTargets {
  private static final String JSON = HttpSeeds.JSON;
  private static final String UPLOAD = HttpSeeds.UPLOAD;
  private static final OwnerToken OWNER = OwnerToken.random();

  private static final InstantSource CLOCK = () -> Instant.parse("2026-11-01T00:00:00Z");

  private static final PushEndpoint UNREACHABLE =
      new PushEndpoint(URI.create("http://127.0.0.1:9"), Optional.empty());

  /** Keeps published messages and delivers none. */
  private static final PushFaults KEPT =
      new PushFaults() {
        @Override
        public int copies(String topic) {
          return 0;
        }
      };

  private HttpTargets() {}

  static List<FuzzTarget> all() {
    return List.of(
        new NamedTarget(
            "storage",
            CallersMistakes.with(
                HttpSeeds.STORAGE,
                SeedCorpus.texts(
                    "POST /storage/v1/b?project=p\n" + JSON + "{\"name\":\"lab\"}",
                    UPLOAD + "media&name=a%2Fb\nContent-Type: text/plain\n\nhello",
                    UPLOAD
                        + "multipart\nContent-Type: multipart/related; boundary=x\n\n"
                        + "--x\r\nContent-Type: application/json\r\n\r\n{\"name\":\"c\"}\r\n"
                        + "--x\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--",
                    UPLOAD + "resumable&name=d\n" + JSON + "{}",
                    "GET /storage/v1/b/lab/o?prefix=a&delimiter=/&maxResults=2&matchGlob=**a\n",
                    "GET /storage/v1/b/lab/o/a%2Fb?alt=media\nRange: bytes=0-2\n",
                    "DELETE /storage/v1/b/lab/o/c?ifGenerationMatch=1\n",
                    "POST /storage/v1/b/lab/o/a%2Fb/rewriteTo/b/lab/o/e\n" + JSON + "{}",
                    "POST /batch/storage/v1\nContent-Type: multipart/mixed; boundary=x\n\n"
                        + "--x\r\nContent-Type: application/http\r\nContent-ID: <1>\r\n\r\n"
                        + "DELETE /storage/v1/b/lab/o/c HTTP/1.1\r\n\r\n\r\n--x--",
                    "GET /lab/a/b\n")),
            HttpTargets::storage),
        new NamedTarget(
            "cloud",
            CallersMistakes.with(
                HttpSeeds.CLOUD,
                SeedCorpus.texts(
                    "POST /v1/projects/p/topics/mayfly-jobs:publish\n"
                        + JSON
                        + "{\"messages\":[{\"data\":\"aGk=\",\"attributes\":{\"a\":\"b\"}}]}",
                    "PUT /v1/projects/p/topics/mine\n" + JSON + "{}",
                    "GET /v1/projects/p/topics\n",
                    "POST /v1/projects/p/secrets?secretId=token\n" + JSON + "{}",
                    "POST /v1/projects/p/secrets/token:addVersion\n"
                        + JSON
                        + "{\"payload\":{\"data\":\"aGk=\"}}",
                    "GET /v1/projects/p/secrets/token/versions/latest:access\n" + JSON)),
            HttpTargets::cloud),
        new NamedTarget(
            "compute", CallersMistakes.with(HttpSeeds.COMPUTE, List.of()), HttpTargets::compute),
        new NamedTarget(
            "functions",
            CallersMistakes.with(HttpSeeds.FUNCTION, List.of()),
            HttpTargets::functions),
        new NamedTarget(
            "proofs", CallersMistakes.with(HttpSeeds.PROOF, List.of()), HttpTargets::proofs));
  }

  private static boolean storage(byte[] input) throws IOException {
    return within(folder -> {
      var buckets = folder.resolve("buckets");
      Files.createDirectories(buckets.resolve("lab/a"));
      Files.writeString(buckets.resolve("lab/a/b"), "hello");
      return takes(
          input, new StorageApi(buckets, CLOCK, true, call -> ObjectRights.OWNER).routes());
    });
  }

  private static boolean cloud(byte[] input) throws IOException {
    return within(folder -> {
      var pubsub =
          new PubSubApi(
              folder.resolve("pubsub"),
              CLOCK,
              new SplittableRandom(7),
              UNREACHABLE,
              KEPT,
              Optional.empty());
      var secrets = new SecretStore(folder.resolve("secrets"));
      var routes = List.of(pubsub.route(), new SecretManagerApi("p", secrets).route());
      pubsub.start();
      try (pubsub) {
        return takes(input, routes);
      }
    });
  }

  private static @Nullable IdentityTokenSigner signer;

  /** One for all inputs: a pair of keys takes longer than a request may. */
  private static synchronized IdentityTokenSigner signer() throws IOException {
    if (signer == null) {
      var folder = Files.createTempDirectory("mayfly-fuzz-");
      signer = IdentityTokenSigner.load(folder.resolve("key"));
      TempFolders.delete(folder);
    }
    return signer;
  }

  /** Machines are ordered, and none boots within a test. */
  private static boolean compute(byte[] input) throws IOException {
    return within(folder -> {
      var faults = new FaultControls(Duration.ofHours(1));
      var command = new BootCommand(List.of("true"));
      var host = new Hypervisor(folder.resolve("vms"), command, signer(), OWNER, CLOCK, List.of());
      var context = new CloudContext("p", host, faults, CLOCK, new SplittableRandom(7));
      var machines = new ComputeMachines(context, folder.resolve("compute"), _ -> {});
      var tpus = new TpuNodes(context, folder.resolve("tpu"));
      var controls =
          new FaultControlHandler(
              faults,
              new MachineFaultControls(context, machines),
              new TpuFaultControls(tpus),
              Duration.ofSeconds(30));
      machines.begin("http://127.0.0.1:9");
      tpus.begin("http://127.0.0.1:9");
      try {
        return takes(
            input,
            List.of(
                new Route(ComputeApi.PREFIX, new ComputeApi(context, machines)),
                new Route(FaultControlHandler.PREFIX, controls)));
      } finally {
        machines.close();
        tpus.close();
      }
    });
  }

  private static boolean functions(byte[] input) throws IOException {
    try (var deployment = EventTargets.deployment()) {
      var filter = new IdentityTokenFilter("http://127.0.0.1:9", "");
      var routes = new ArrayList<>(FunctionHost.routes(deployment, filter, () -> Map.of()));
      // Not behind the check of signatures, which nothing here could pass.
      routes.removeIf(route -> route.prefix().equals("/workers/"));
      routes.add(FunctionHost.http("/workers/", AccessLevel.PUBLIC, deployment.workers()));
      return takes(input, routes);
    }
  }

  /** The open route by which servers prove themselves; what it says is no token. */
  private static boolean proofs(byte[] input) throws IOException {
    return takes(input, List.of(LoopbackServer.proof(OWNER, "127.0.0.1:8420")));
  }

  /** A status of 500 or more is a finding. */
  private static boolean takes(byte[] input, List<Route> routes) throws IOException {
    var call = RawCall.of(input);
    if (call.isEmpty()) return false;
    var path = call.get().restCall().uri().getRawPath();
    var route =
        routes.stream()
            .filter(r -> path.startsWith(r.prefix()))
            .max(Comparator.comparing(r -> r.prefix().length()));
    if (route.isEmpty()) return false;
    route.get().answer(call.get().restCall());
    var status = call.get().reply().status();
    if (status < 200 || status >= 500) throw new IllegalStateException("answered with " + status);
    return status < 400;
  }

  private interface Use {
    boolean of(Path folder) throws IOException;
  }

  private static boolean within(Use use) throws IOException {
    var folder = Files.createTempDirectory("mayfly-fuzz-");
    try {
      return use.of(folder);
    } finally {
      TempFolders.delete(folder);
    }
  }
}
