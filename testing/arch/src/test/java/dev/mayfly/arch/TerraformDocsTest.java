package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.catalog.StoragePrices;
import dev.mayfly.core.model.cluster.StorageSource;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Tables in documents match Terraform. {@code -Dmayfly.docs=write} rewrites the text between the
 * two marks.
 */
class TerraformDocsTest {
  private static final String BEGIN = "<!-- generated -->\n";
  private static final String TOPICS = "<!-- generated: topics -->\n";
  private static final String END = "<!-- end -->\n";

  @Test
  void accessTableMatchesTerraform() throws IOException {
    var access = TerraformConfig.json("modules/iam/access.json");
    var text = new StringBuilder("\n| who | what it is |\n|---|---|\n");
    access
        .get("accounts")
        .properties()
        .forEach(it -> row(text, "`" + it.getKey() + "`", it.getValue().asString()));
    text.append("\n| who | role | on | only if | why |\n|---|---|---|---|---|\n");
    for (var grant : access.get("grants"))
      row(
          text,
          "`" + string(grant, "who") + "`",
          "`" + string(grant, "role") + "`",
          string(grant, "on"),
          onlyIf(grant),
          string(grant, "why"));
    text.append("\n| Mayfly's own role | permissions |\n|---|---|\n");
    access
        .get("roles")
        .properties()
        .forEach(
            it -> row(text, "`" + it.getKey() + "`", strings(it.getValue().get("permissions"))));
    compare("docs/security.md", text + "\n");
  }

  @Test
  void storagePricesMatchCatalog() throws IOException {
    var prices = TerraformConfig.json("storage-prices.json");
    var rates = prices.get("usd_per_gib_month");

    assertThat(rates.size()).isEqualTo(StorageSource.Tier.values().length);
    for (var tier : StorageSource.Tier.values()) {
      var price = StoragePrices.ofGib(tier);
      assertThat(rates.get(tier.name()).asDouble()).as(tier.name()).isEqualTo(price.usd());
      assertThat(prices.get("region").asString()).isEqualTo(price.region());
      assertThat(prices.get("source").asString()).isEqualTo(price.source().page());
      assertThat(prices.get("month").asString()).isEqualTo(price.source().monthInWords());
    }
  }

  @Test
  void topicTableMatchesFunctions() throws IOException {
    var kinds = new EnumMap<UserTopic, Set<String>>(UserTopic.class);
    for (var sample : samples()) {
      var document = UserDocuments.parse(Files.readAllBytes(sample), "", Map.of()).getFirst();
      var userTopic = UserTopic.of(document.command());
      kinds.computeIfAbsent(userTopic, _ -> new TreeSet<>()).add("`" + document.kind() + "`");
    }
    var text = new StringBuilder("\n| topic | kinds |\n|---|---|\n");
    kinds.forEach(
        (userTopic, words) -> row(text, "`" + userTopic.id() + "`", String.join(", ", words)));
    compare("docs/security.md", TOPICS, text + "\n");
  }

  private static List<Path> samples() throws IOException {
    try (var files = Files.list(TerraformConfig.ROOT.resolve("schemas/samples/valid"))) {
      return files
          .filter(it -> it.getFileName().toString().startsWith("user-"))
          .filter(it -> !it.endsWith("user-many.yaml"))
          .toList();
    }
  }

  private static String onlyIf(JsonNode grant) {
    var object = grant.has("condition") ? condition(string(grant, "condition")) : "";
    if (!grant.has("when")) return object;
    var deployment = "Terraform has `" + string(grant, "when") + " = true`";
    return object.isEmpty() ? deployment : deployment + ", and " + object;
  }

  private static String condition(String name) {
    return switch (name) {
      case "database" -> "it is Mayfly's database";
      case "machines" -> "its name begins with a cluster's name and a hyphen";
      case "sentinels" -> "its name ends in `.COMPLETE`";
      case "outcomes" -> "it is the outcome of a job, below `mayfly/.jobs/`";
      case "records" ->
          "its name ends in `.COMPLETE`, or it is a task list or the outcome of a job, below `mayfly/.jobs/`";
      case "creatable" -> "it is neither code nor, beside logs, one of a job's own objects";
      case "code" -> "it is below `mayfly/.code/`";
      case "inputs" -> "its name does not end in `.COMPLETE`, and it is not below `mayfly/.jobs/`";
      case "outputs" ->
          "it is below an output prefix, its name does not end in `.COMPLETE`, and it is not below `mayfly/.`";
      case "ssh" -> "it is port 22";
      case "sources" -> "the bucket's name begins with `gcf-v2-sources-`";
      default -> throw new AssertionError("access.json: say here what condition " + name + " is");
    };
  }

  @Test
  void readmeTablesMatchTerraform() throws IOException {
    var text = new StringBuilder("\n## Inputs\n\n| name | what | default |\n|---|---|---|\n");
    TerraformConfig.items("variables.tf")
        .forEach((name, it) ->
            row(
                text,
                "`" + name + "`",
                it.description(),
                it.usual().isEmpty() ? "required" : "`" + it.usual() + "`"));
    text.append("\n## Outputs\n\n| name | what |\n|---|---|\n");
    TerraformConfig.items("outputs.tf")
        .forEach((name, it) -> row(text, "`" + name + "`", it.description()));
    text.append("\n## APIs that it enables\n\n");
    TerraformConfig.json("apis.json").forEach(it -> text.append("- `" + it.asString() + "`\n"));
    text.append(
        "\n## Roles that the account which applies it needs\n\n| role | for |\n|---|---|\n");
    TerraformConfig.json("deployer.json")
        .properties()
        .forEach(it -> row(text, "`" + it.getKey() + "`", it.getValue().asString()));
    TerraformConfig.json("deployer-optional.json")
        .properties()
        .forEach(it -> row(text, "`" + it.getKey() + "`", it.getValue().asString()));
    compare("terraform/README.md", text + "\n");
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String string(JsonNode node, String field) {
    return node.get(field).asString();
  }

  private static String strings(JsonNode array) {
    return array
        .valueStream()
        .map(it -> "`" + it.asString() + "`")
        .collect(Collectors.joining(", "));
  }

  private static void compare(String document, String wanted) throws IOException {
    compare(document, BEGIN, wanted);
  }

  private static void compare(String document, String begin, String wanted) throws IOException {
    var file = TerraformConfig.ROOT.resolve(document);
    var text = Files.readString(file);
    var from = text.indexOf(begin) + begin.length();
    var to = text.indexOf(END, from);
    assertThat(to).as("%s has both marks", document).isPositive();
    if ("write".equals(System.getProperty("mayfly.docs")))
      Files.writeString(file, text.substring(0, from) + wanted + text.substring(to));
    else
      assertThat(text.substring(from, to))
          .as(
              "%s is stale: ./build -pl testing/arch -am test -Dtest=TerraformDocsTest -Dmayfly.docs=write -Dsurefire.failIfNoSpecifiedTests=false",
              document)
          .isEqualTo(wanted);
  }
}
