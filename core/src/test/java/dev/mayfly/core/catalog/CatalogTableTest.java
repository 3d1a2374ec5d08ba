package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.YearMonth;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogTableTest {
  private static final String SOURCE = "# source page-2026-07: example.com/prices, July 2026";

  @Test
  void commentsExplainSources() {
    var table = table("# A table.", SOURCE, "type,usd,source", "a,0.5,page-2026-07");

    var source = table.rows().getFirst().source();
    assertThat(source)
        .isEqualTo(new PriceSource("page-2026-07", "example.com/prices", YearMonth.of(2026, 7)));
    assertThat(source.monthInWords()).isEqualTo("July 2026");
    assertThat(table.rows().getFirst().number("usd")).isEqualTo(0.5);
  }

  @Test
  void badLineIsToldWithNumberAndText() {
    var row = table("type,usd,source", "a,0.5,", "b,x,").rows().getLast();

    assertThatThrownBy(() -> row.number("usd"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("t.csv:3: usd is not a number: b,x,");
    assertThatThrownBy(row::source).hasMessage("t.csv:3: no comment explains its source: b,x,");
    assertThatThrownBy(() -> row.word("source")).hasMessage("t.csv:3: source is empty: b,x,");
  }

  @Test
  void columnsAreChecked() {
    assertThatThrownBy(() -> table("type,source,usd", "a,b,1"))
        .hasMessageStartingWith("t.csv:1: columns are not [type, usd, source]");
    assertThatThrownBy(() -> table("type,usd,source", "a,1"))
        .hasMessage("t.csv:2: has 2 fields of 3: a,1");
    assertThatThrownBy(() -> table("type,usd,source", "a,1,b,c"))
        .hasMessage("t.csv:2: has 4 fields of 3: a,1,b,c");
    assertThatThrownBy(() -> table("type,usd,source")).hasMessage("t.csv has no rows");
  }

  @Test
  void sourceHasOneMonth() {
    assertThatThrownBy(() -> table(SOURCE.replace("July", "June"), "type,usd,source"))
        .hasMessageStartingWith("t.csv:1: has two months");
    assertThatThrownBy(() -> table("# source page: example.com", "type,usd,source"))
        .hasMessageStartingWith("t.csv:1: is not # source ID-YYYY-MM: PAGE, MONTH");
  }

  @Test
  void oneNameIsOneRow() {
    var table = table("type,usd,source", "a,1,", "a,2,");

    assertThatThrownBy(() -> table.index(row -> row.word("type"), row -> row.number("usd")))
        .hasMessage("t.csv:3: 'a' is there twice: a,2,");
  }

  private static CatalogTable table(String... lines) {
    return CatalogTable.parse("t.csv", List.of(lines), "type", "usd", "source");
  }
}
