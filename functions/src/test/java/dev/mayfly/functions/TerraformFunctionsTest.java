package dev.mayfly.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.functions.CloudEventsFunction;
import com.google.cloud.functions.HttpFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Terraform's names match the code's. */
class TerraformFunctionsTest {
  private static final Path MODULE = Path.of("..", "terraform/modules/control-plane");

  @Test
  void functionClassesMatchTheirTriggers() throws Exception {
    var line =
        Pattern.compile("\"entry\": \"([\\w.]+)\", (\"topic\": \"(mayfly-[a-z-]+)\")?")
            .matcher(Files.readString(MODULE.resolve("functions.json")));
    var found = new TreeSet<String>();
    while (line.find()) {
      var entry = Class.forName(line.group(1), false, getClass().getClassLoader());
      var kind = line.group(3) == null ? HttpFunction.class : CloudEventsFunction.class;
      assertThat(kind).isAssignableFrom(entry);
      found.add(entry.getSimpleName());
    }
    assertThat(found)
        .containsExactly(
            "ApiFunction",
            "AutoscaleFunction",
            "CleanupFunction",
            "ClustersFunction",
            "JobsFunction",
            "NotificationsFunction",
            "VmEventsFunction",
            "WorkersFunction");
  }

  @Test
  void pausedSchedulerJobIsTheTickJob() throws IOException {
    var jobs = new TreeMap<String, String>();
    var block =
        Pattern.compile("(?ms)^resource \"google_cloud_scheduler_job\" .*?^}")
            .matcher(Files.readString(MODULE.resolve("main.tf")));
    while (block.find())
      jobs.put(
          first("name +=.*\"(.+)\"", block.group()),
          first("topic\\[\"(.+)\"]", block.group())
              + " "
              + first("kind = \"(.+)\"", block.group()));

    assertThat(jobs)
        .hasSize(2)
        .containsEntry(FunctionWiring.TICK_JOB, "mayfly-ticks tick")
        .containsEntry("mayfly-cleanup", "mayfly-ticks collect-orphans");
  }

  private static String first(String pattern, String text) {
    var found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as(pattern).isTrue();
    return found.group(1);
  }
}
