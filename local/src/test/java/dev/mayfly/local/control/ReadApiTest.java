package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.porttests.DocumentFixtures;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The read API answers as its page and its schemas say. */
@Timeout(300)
class ReadApiTest {
  private static final Path PAGE = Path.of("../docs/api.md");
  private static final Path SCHEMAS = Path.of("../schemas");
  private static final String IDS = "https://mayfly.dev/schemas/v1/";
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `GET (/v1/[^`]*)` \\| [^|]* \\| ([^|]*) \\|");
  private static final Pattern SCHEMA = Pattern.compile("schemas/(view-[a-z]+\\.schema\\.json)");

  @TempDir Path home;
  private TestControlPlane plane;

  @BeforeEach
  void start() throws Exception {
    plane = TestControlPlane.start(home);
    plane.deliver(
        "mayfly-clusters",
        "m1",
        """
        {"apiVersion":"mayfly.dev/v1","kind":"Cluster","name":"lab","bucket":"%s","pools":[
        {"name":"cpu","machine":{"type":"n2-standard-4"},"zones":["us-central1-a"],"workers":{"max":2}}]}
        """
            .formatted("file://" + home.resolve("bucket")));
    plane.deliver(
        "mayfly-jobs",
        "m2",
        """
        {"apiVersion":"mayfly.dev/v1","kind":"Job","name":"reddit","cluster":"lab",
        "tasks":{"items":["a","b","c"]},"command":["true","{item}"]}
        """);
    plane.deliver("mayfly-jobs", "m3", "{\"kind\":\"Job\"}");
    plane.deliver(
        "mayfly-jobs",
        "m4",
        """
        {apiVersion: mayfly.dev/v1, kind: Job, name: tuner, cluster: lab, command: [ls],
         tasks: {open: true}}
        """);
    plane.deliver(
        "mayfly-jobs",
        "m5",
        """
        {apiVersion: mayfly.dev/v1, kind: AddTasks, cluster: lab, job: tuner, addition: a1,
         tasks: [{}]}
        """);
    var cluster = clusterUid();
    plane
        .ledger()
        .commit(
            List.of(
                new LedgerWrite.Put(
                    DocumentFixtures.worker(
                        cluster,
                        "lab-cpu-1",
                        new WorkerState.Ready(Instant.EPOCH, Optional.empty()),
                        Instant.EPOCH)),
                new LedgerWrite.Put(
                    DocumentFixtures.event(cluster, "e1", Instant.EPOCH, "job/reddit"))));
  }

  @AfterEach
  void stop() {
    plane.close();
  }

  private String clusterUid() {
    return plane
        .ledger()
        .read(new DocumentKey.OfClusterName("lab"))
        .orElseThrow()
        .value()
        .uid()
        .orElseThrow();
  }

  private HttpResponse<String> get(String path) throws Exception {
    var request =
        HttpRequest.newBuilder(plane.url("/api" + path))
            .header("Authorization", "Bearer " + TestControlPlane.TOKEN.text())
            .build();
    return plane.client().send(request, BodyHandlers.ofString());
  }

  @Test
  void everyRouteAnswersByItsSchema() throws Exception {
    var rows = ROW.matcher(Files.readString(PAGE)).results().toList();

    assertThat(rows).hasSizeGreaterThan(10);
    for (var row : rows) {
      var path =
          row.group(1)
              .replace("CLUSTER", "lab")
              .replace("WORKER", "lab-cpu-1")
              .replace("JOB", row.group(1).contains("ADDITION") ? "tuner" : "reddit")
              .replace("ADDITION", "a1")
              .replace("INDEX", "2")
              .replace("MESSAGE", "m3");
      var reply = get(path);
      // This control plane has no cloud whose machines it could list.
      if (path.equals("/v1/cleanup")) assertThat(reply.statusCode()).isEqualTo(503);
      if (path.equals("/v1/cleanup")) continue;
      assertThat(reply.statusCode()).as(path + " " + reply.body()).isEqualTo(200);
      var schema = SCHEMA.matcher(row.group(2));
      if (schema.find())
        assertThat(errors(schema.group(1), row.group(2).startsWith("list"), reply.body()))
            .as(path + " " + reply.body())
            .isEmpty();
    }
  }

  /** A list has to have an element, or nothing would be compared. */
  private static List<?> errors(String schema, boolean list, String body) throws IOException {
    var texts = new HashMap<String, String>();
    texts.put(IDS + schema, Files.readString(SCHEMAS.resolve(schema)));
    texts.put(
        IDS + "list",
        "{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"" + IDS + schema + "\"}}");
    return SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, b -> b.schemas(texts))
        .getSchema(SchemaLocation.of(IDS + (list ? "list" : schema)))
        .validate(
            body, InputFormat.JSON, c -> c.executionConfig(e -> e.formatAssertionsEnabled(true)));
  }

  @Test
  void unknownNamesAre404() throws Exception {
    unknown("/v1/clusters/attic", "there is no cluster attic; known clusters: lab");
    unknown("/v1/clusters/attic/jobs/reddit", "there is no cluster attic");
    unknown("/v1/clusters/lab/jobs/yours", "no job yours; newest jobs: tuner, reddit");
    unknown("/v1/clusters/lab/jobs/yours", "published just now may not be accepted yet");
    unknown("/v1/clusters/lab/jobs/yours/explain", "no job yours");
    unknown("/v1/clusters/lab/jobs/reddit/tasks/3", "no task 3; its tasks are 0 to 2");
    unknown("/v1/clusters/lab/jobs/reddit/tasks/last", "no task");
    unknown("/v1/clusters/lab/workers/w", "no worker w");
    unknown("/v1/rejections/m1", "m1 was not rejected");
    unknown("/v1/attics", "there is nothing at");
  }

  /** The clock of this control plane stands still: a call that waited would never be answered. */
  @Test
  void anotherVersionIsAnsweredAtOnce() throws Exception {
    var first = get("/v1/clusters/lab/jobs/reddit");
    var version = first.body().replaceAll(".*\"version\":\"([^\"]*)\".*", "$1");

    assertThat(version).startsWith("running.3.");
    for (var query :
        List.of("after=older&wait=25", "wait=25", "after=" + version, "after=a&wait=0"))
      assertThat(get("/v1/clusters/lab/jobs/reddit?" + query).body()).isEqualTo(first.body());
  }

  private void unknown(String path, String why) throws Exception {
    var reply = get(path);

    assertThat(reply.statusCode()).as(path).isEqualTo(404);
    assertThat(reply.body()).contains("\"status\":404", why);
  }

  @Test
  void impossibleParametersAre400WithNameAndValue() throws Exception {
    malformed("/v1/clusters/lab/jobs?limit=many", "limit: is \\\"many\\\"; write a whole number");
    malformed("/v1/clusters/lab/jobs?limit=0", "limit: is \\\"0\\\"");
    malformed("/v1/clusters/lab/events?limit=-1", "limit: is \\\"-1\\\"");
    malformed(
        "/v1/clusters/lab/events?until=monday", "until: is \\\"monday\\\"; write a time such as");
    malformed("/v1/clusters/lab/jobs/reddit/tasks?from=x", "from: is \\\"x\\\"; write a whole");
    malformed("/v1/clusters/lab/jobs/reddit/tasks?state=ended", "write one of waiting, running");
    malformed("/v1/clusters/lab/jobs/reddit?after=a&wait=long", "wait: is \\\"long\\\"");
    malformed("/v1/rejections?limit=1.5", "limit: is \\\"1.5\\\"");
    malformed("/v1/clusters/lab/workers?all=yes", "all: is \\\"yes\\\"; write one of true, false");

    assertThat(get("/v1/clusters/lab/jobs?limit=100000&later=1").statusCode()).isEqualTo(200);
  }

  private void malformed(String path, String why) throws Exception {
    var reply = get(path);

    assertThat(reply.statusCode()).as(path).isEqualTo(400);
    assertThat(reply.body()).contains("\"status\":400", why);
  }
}
