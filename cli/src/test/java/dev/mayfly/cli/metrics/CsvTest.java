package dev.mayfly.cli.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.query.task.TaskStatus.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** CSV as RFC 4180 has it. */
class CsvTest {
  @Test
  void onlyFieldsThatNeedItAreQuoted() {
    assertThat(CsvRecord.of(List.of("a", "b c", "", "1,5", "say \"hi\"", "two\nlines")))
        .isEqualTo("a,b c,,\"1,5\",\"say \"\"hi\"\"\",\"two\nlines\"");
  }

  @Test
  void everyRecordIsReadBack() {
    var random = new Random(3);
    var signs = List.of(",", "\"", "\n", "\r", "a", " ", "é", "日");
    for (var run = 0; run < 500; run++) {
      var fields =
          IntStream.rangeClosed(0, random.nextInt(5))
              .mapToObj(_ -> signs.get(random.nextInt(8)) + signs.get(random.nextInt(8)))
              .toList();

      assertThat(read(CsvRecord.of(fields))).isEqualTo(fields);
    }
  }

  /** A reader by the grammar of the RFC. */
  private static List<String> read(String record) {
    var fields = new ArrayList<String>();
    var field = new StringBuilder();
    var quoted = false;
    for (var i = 0; i < record.length(); i++) {
      var c = record.charAt(i);
      if (c == '"' && quoted && i + 1 < record.length() && record.charAt(i + 1) == '"') {
        field.append(c);
        i++;
      } else if (c == '"') quoted = !quoted;
      else if (c == ',' && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else field.append(c);
    }
    fields.add(field.toString());
    return fields;
  }

  @Test
  void numbersRoundTrip() {
    var random = new Random(5);
    for (var run = 0; run < 10_000; run++) {
      var value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value))
        assertThat(Double.parseDouble(CsvRecord.number(value))).isEqualTo(value);
    }
    assertThat(CsvRecord.number(1200)).isEqualTo("1200");
    assertThat(CsvRecord.number(0.1 + 0.2)).isEqualTo("0.30000000000000004");
    assertThat(CsvRecord.number(-0.0)).isEqualTo("-0.0");
  }

  @Test
  void variablesAndMetricsAreColumns() {
    var tasks =
        List.of(
            TaskFixtures.task(0, State.DONE, Map.of("lr", "1,5"), Map.of("acc", 0.25)),
            TaskFixtures.task(
                1, State.WAITING, Map.of("lr", "2", "state", "cold"), Map.of("lr", 3.0)));

    assertThat(TaskRecords.of(tasks).stream().map(CsvRecord::of))
        .containsExactly(
            "task,state,attempts,started,ended,seconds,workers,input,output,failure,lr,"
                + "variable.state,acc,metric.lr",
            "0,done,,,,,,,,,\"1,5\",,0.25,",
            "1,waiting,,,,,,,,,2,cold,,3");
  }
}
