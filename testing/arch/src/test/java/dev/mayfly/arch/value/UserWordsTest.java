package dev.mayfly.arch.value;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.arch.Sources;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Texts of the product have none of the words by which the control plane is built. */
class UserWordsTest {
  private static final Pattern LITERAL =
      Pattern.compile("\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"", Pattern.DOTALL);

  /** Names of fields, tables and places are camel case, or stand alone between quotes. */
  private static final Pattern WORD =
      Pattern.compile("\\b(leases?|leased|shards?|reconcil\\w*|epochs?|synced)\\b");

  private static final Pattern SENTENCE = Pattern.compile(".*[a-z] [a-z%].*", Pattern.DOTALL);

  private static final Set<String> MODULES = Set.of("core", "wire", "cli", "node-agent");

  /** Types whose texts are not for users, and why. */
  private static final Map<String, String> EXCEPT =
      Map.of(
          "GangRun", "a mistake of the caller's",
          "ShardTransitions", "a mistake of the caller's",
          "LeaseTable", "the agent's own log",
          "ClusterReconciler", "names what failed in the log",
          "JobRetry", "why a message is delivered again, in the log",
          "SubmitCommand", "--epochs of the user's own program");

  @Test
  void textsNameNoPartOfTheMachineRoom() throws IOException {
    var wrong =
        Sources.all().stream()
            .filter(it -> it.path().toString().contains("src/main"))
            .filter(it -> MODULES.contains(it.module()) && !EXCEPT.containsKey(it.type()))
            .flatMap(it ->
                LITERAL
                    .matcher(it.text())
                    .results()
                    .map(text -> text.group())
                    .filter(UserWordsTest::isForUsers)
                    .map(text -> it.type() + ": " + text))
            .toList();

    assertThat(wrong).as("write what a user sees: tasks, machines, running").isEmpty();
  }

  @Test
  void theRuleFindsThem() {
    assertThat(isForUsers("\"4 shards of 6 tasks\"")).isTrue();
    assertThat(isForUsers("\"%d tasks are leased to %s\"")).isTrue();
    assertThat(isForUsers("\"leased\"")).isFalse();
    assertThat(isForUsers("\"/jobs/\" + job + \"/shards/\"")).isFalse();
  }

  private static boolean isForUsers(String literal) {
    return WORD.matcher(literal).find() && SENTENCE.matcher(literal).matches();
  }
}
