package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Accounts of Google's own are made before they are needed, each with its role. */
class ServiceAgentsTest {
  private static final Pattern AGENT =
      Pattern.compile("gcp-sa-[a-z0-9-]+|gcf-admin-robot|serverless-robot-prod|cloud-filer");

  /** An account that was asked for has no role until somebody grants it. */
  @Test
  void deploymentPageMakesEachAccountAndGrantsItsRole() throws IOException {
    var page = Files.readString(TerraformConfig.ROOT.resolve("docs/deploy.md"));
    var lines = page.lines().filter(line -> line.startsWith("        gcloud ")).toList();

    var agents = TerraformConfig.json("service-agents.json");
    assertThat(agents.size()).isPositive();
    agents
        .properties()
        .forEach(agent -> {
          var service = agent.getKey();
          var on = first(lines, "services enable .*" + service);
          var made = first(lines, "beta services identity create --service=" + service);
          var granted =
              first(
                  lines,
                  "add-iam-policy-binding .*--role=%s .*@%s\\.iam\\.gserviceaccount\\.com"
                      .formatted(
                          agent.getValue().get("role").asString(),
                          agent.getValue().get("account").asString()));
          assertThat(List.of(on, made, granted)).as(service).isSorted().doesNotContain(-1);
        });
    assertThat(page.indexOf("identity create")).isLessThan(page.indexOf("terraform -chdir"));
  }

  /** Terraform names none that nothing makes. */
  @Test
  void configurationNamesNoOtherAccountOfGoogles() throws IOException {
    var known = TerraformConfig.text("service-agents.json");
    try (var files = Files.walk(TerraformConfig.ROOT.resolve("terraform"))) {
      for (var file :
          files
              .filter(f -> f.toString().matches(".*/terraform/(modules/.*|examples/.*|[^/]+\\.tf)"))
              .filter(f -> f.toString().matches(".*\\.(tf|json)"))
              .filter(f -> !f.toString().contains(".terraform/"))
              .toList())
        for (var named : AGENT.matcher(Files.readString(file)).results().toList())
          assertThat(known).as("%s", file).contains(named.group());
    }
  }

  private static int first(List<String> lines, String pattern) {
    var found = Pattern.compile(pattern);
    for (var i = 0; i < lines.size(); i++) if (found.matcher(lines.get(i)).find()) return i;
    return -1;
  }
}
