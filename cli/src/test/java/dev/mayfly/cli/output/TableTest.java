package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which columns a table keeps, and how it cuts them, for the room that it has. */
class TableTest {
  private static final String LONG = "stockout: zone us-central1-b has no n2-standard-8 for 5 min";

  private static Table jobs(String... owners) {
    var table =
        new Table(
            List.of(
                Column.name("JOB").least(12),
                Column.number("DONE"),
                Column.number("TOOK").leaves(1),
                Column.name("OWNER").least(8).leaves(2),
                Column.remark("WHY")));
    for (var i = 0; i < owners.length; i++)
      table.row(cells("job-" + i, "1/2", i + "s", owners[i], i == 0 ? LONG : ""));
    return table;
  }

  private static TableCell[] cells(String... texts) {
    return java.util.Arrays.stream(texts).map(TableCell::of).toArray(TableCell[]::new);
  }

  private static Screen screen(int width) {
    return TestScreen.of(System.out, System.err, true, false, width);
  }

  @Test
  void remarkIsCutBetweenWordsFirst() {
    assertThat(jobs("ann", "bob").lines(screen(56)))
        .containsExactly(
            "JOB    DONE  TOOK  OWNER  WHY",
            "job-0   1/2    0s  ann    stockout: zone us-central1-b…",
            "job-1   1/2    1s  bob");
  }

  @Test
  void whatSaysTheSameEverywhereLeavesFirst() {
    assertThat(jobs("ann", "ann").lines(screen(48)).getFirst()).isEqualTo("JOB    DONE  TOOK  WHY");
    assertThat(jobs("ann", "bob").lines(screen(48)).getFirst())
        .isEqualTo("JOB    DONE  OWNER  WHY");
  }

  @Test
  void columnThatIsEmptyLeavesUntold() {
    var table =
        new Table(
                List.of(
                    Column.word("TASK"),
                    Column.name("WORKER").leaves(1),
                    Column.name("INPUT").least(24),
                    Column.remark("WHY")))
            .row(cells("0", "lab-cpu-a", "", LONG))
            .row(cells("1", "lab-cpu-b", "", LONG));

    assertThat(table.lines(screen(77)).getFirst()).isEqualTo("TASK  WORKER     WHY");
    assertThat(table.missing(screen(77))).isEmpty();
    assertThat(table.lines(screen(120)).getFirst()).contains("INPUT");
  }

  @Test
  void wideTablesAndPipesMissNothing() {
    for (var width : List.of(200, Screen.ENDLESS)) {
      assertThat(String.join("\n", jobs("ann", "ann").lines(screen(width))))
          .contains("OWNER", "TOOK", LONG);
      assertThat(jobs("ann", "ann").missing(screen(width))).isEmpty();
    }
  }

  @Test
  void aCutTableSaysWhatIsMissing() {
    assertThat(jobs("ann", "ann").missing(screen(48)))
        .contains("cut to 48 columns, without OWNER; all of it: -o wide");
  }

  @Test
  void proseGoesOnBelowItsBeginning() {
    var table =
        new Table(List.of(Column.word("WHAT"), Column.prose("WHY"))).row(cells("refused", LONG));

    assertThat(table.lines(screen(40)))
        .containsExactly(
            "WHAT     WHY",
            "refused  stockout: zone us-central1-b",
            "         has no n2-standard-8 for 5 min");
    assertThat(table.missing(screen(40))).isEmpty();
  }

  @Test
  void wrappedTextHangsBelowItsLabel() {
    assertThat(WrappedText.hanging("  trouble  the zone has no machines", 20, 11))
        .containsExactly("  trouble  the zone", "           has no", "           machines");
  }

  @Test
  void charactersCountByTheirWidth() {
    var table = new Table(List.of(Column.name("INPUT"), Column.word("STATE")));
    for (var name :
        List.of(
            "日本語", "e\u0301te\u0301", "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67x", "plain"))
      table.row(cells(name, "done"));

    assertThat(table.lines(screen(80)))
        .containsExactly(
            "INPUT   STATE",
            "日本語  done",
            "e\u0301te\u0301     done",
            "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67x     done",
            "plain   done");
  }

  @Test
  void noCharacterIsCutInTwo() {
    var text = "ab\ud83d\ude80日本\ud83c\udde9\ud83c\uddeae\u0301\u2705";

    assertThat(DisplayWidth.of(text)).isEqualTo(2 + 2 + 4 + 2 + 1 + 2);
    for (var width = 1; width < 14; width++) {
      assertThat(DisplayWidth.of(DisplayWidth.cut(text, width))).isLessThanOrEqualTo(width);
      assertThat(DisplayWidth.cut(text, width)).doesNotContain("\ufffd");
      assertThat(text).startsWith(DisplayWidth.beginning(text, width));
      assertThat(text).endsWith(DisplayWidth.ending(text, width));
    }
    assertThat(DisplayWidth.cut(text, 4)).isEqualTo("ab…");
    assertThat(DisplayWidth.ending(text, 4)).isEqualTo("e\u0301\u2705");
  }

  @Test
  void everyRowIsOneLineThatFits() {
    var random = new Random(7);
    for (var run = 0; run < 300; run++) {
      var table = jobs();
      var rows = 1 + random.nextInt(8);
      for (var i = 0; i < rows; i++)
        table.row(
            cells(word(random), "1/2", "3s", word(random), word(random) + " " + word(random)));
      var width = 48 + random.nextInt(80);

      assertThat(table.lines(screen(width)))
          .hasSize(rows + 1)
          .allMatch(line -> DisplayWidth.of(line) <= width, "fits into " + width);
    }
  }

  private static String word(Random random) {
    var letters = List.of("a", "-", "日", "e\u0301", "\ud83d\ude80", "z", "0");
    return IntStream.range(0, random.nextInt(60))
        .mapToObj(_ -> letters.get(random.nextInt(letters.size())))
        .collect(java.util.stream.Collectors.joining());
  }
}
