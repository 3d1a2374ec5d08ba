package dev.mayfly.core.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskRanges;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DoneRuleTest {
  private static final MadeFrom PRESENT = new MadeFrom(Optional.of(7L), Optional.of("c0de"));

  @Test
  void anySentinelCountsByDefault() {
    assertThat(DoneRule.ANY.accepts("j2", Map.of(), PRESENT)).isTrue();
    assertThat(DoneRule.ANY.accepts("j2", sentinel("j1", MadeFrom.UNKNOWN), PRESENT)).isTrue();
  }

  @Test
  void eachPartMustBeTheSame() {
    var input = new DoneRule(true, false, false);
    var code = new DoneRule(false, true, false);
    var both = new DoneRule(true, true, false);
    var otherInput = sentinel("j1", new MadeFrom(Optional.of(6L), Optional.of("c0de")));
    var otherCode = sentinel("j1", new MadeFrom(Optional.of(7L), Optional.of("0ld")));

    assertThat(both.accepts("j2", sentinel("j1", PRESENT), PRESENT)).isTrue();
    assertThat(both.accepts("j2", otherInput, PRESENT)).isFalse();
    assertThat(both.accepts("j2", otherCode, PRESENT)).isFalse();
    assertThat(input.accepts("j2", otherCode, PRESENT)).isTrue();
    assertThat(code.accepts("j2", otherInput, PRESENT)).isTrue();
  }

  @Test
  void whatIsNotRecordedDiffers() {
    var both = new DoneRule(true, true, false);

    assertThat(both.accepts("j2", sentinel("j1", MadeFrom.UNKNOWN), PRESENT)).isFalse();
    assertThat(both.accepts("j2", Map.of(), PRESENT)).isFalse();
  }

  @Test
  void ownSentinelsAlwaysCount() {
    var none = new DoneRule(false, false, true);
    var both = new DoneRule(true, true, false);

    assertThat(none.accepts("j1", sentinel("j1", PRESENT), PRESENT)).isTrue();
    assertThat(none.accepts("j2", sentinel("j1", PRESENT), PRESENT)).isFalse();
    assertThat(both.accepts("j1", sentinel("j1", MadeFrom.UNKNOWN), PRESENT)).isTrue();
  }

  @Test
  void namedTaskAcceptsOnlyItsOwn() {
    var rule = new DoneRule(false, false, false, Optional.of(TaskRanges.parse("3,5-9")));

    assertThat(rule.of(7).accepts("j2", sentinel("j1", PRESENT), PRESENT)).isFalse();
    assertThat(rule.of(7).accepts("j1", sentinel("j1", PRESENT), PRESENT)).isTrue();
    assertThat(rule.of(4)).isEqualTo(DoneRule.ANY);
  }

  private static Map<String, String> sentinel(String job, MadeFrom made) {
    var metadata = new HashMap<>(made.metadata());
    metadata.put("mayfly-job", job);
    metadata.put("mayfly-task", "3");
    metadata.put("mayfly-attempt", "s0e1");
    return metadata;
  }
}
