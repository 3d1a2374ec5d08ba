package dev.mayfly.wire.items;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.Wire;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables and lists of items, and what is said of those that are wrong. */
class ItemsFileReaderTest {
  @Test
  void aTablesHeaderNamesItsValues() {
    var items = read("t.csv", "\uFEFFlr, model\r\n0.1,small\r\n\r\n1e-5,\"a, \"\"b\"\"\nc\"\r\n");

    assertThat(items.names()).containsExactly("lr", "model");
    assertThat(items.rows())
        .containsExactly(
            Map.of("lr", "0.1", "model", "small"), Map.of("lr", "1e-5", "model", "a, \"b\"\nc"));
  }

  @Test
  void aListHasAnItemOnEachLine() {
    var items = read("names.txt", "ann\n\n bob, jr \n{index}");

    assertThat(items.names()).containsExactly("item");
    assertThat(items.rows())
        .extracting(row -> row.get("item"))
        .containsExactly("ann", " bob, jr ", "{index}");
  }

  @Test
  void theTaskListIsWhatTheControlPlaneReads() {
    var tasks = Wire.codec().tasks(read("t.csv", "lr\n0.1\n0.2\n").taskList());

    assertThat(tasks).hasSize(2);
    assertThat(tasks.get(1).index()).isEqualTo(1);
    assertThat(tasks.get(1).vars()).isEqualTo(Map.of("lr", "0.2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "t.csv | lr,model;0.1,a;;0.2,b,c | t.csv:4: has 3 values, and the header has 2 columns (lr, model)",
        "t.csv | lr,model;0.1,a;0.2 | t.csv:3: has 1 value, and the header has 2 columns",
        "t.csv | lr,learning rate;1,2 | t.csv:1: column 2 (learning rate) is not a name of a value",
        "t.csv | lr,lr;1,2 | t.csv:1: column 2 (lr) is there twice",
        "t.csv | lr,x;1,\"two;3,4 | t.csv:2: is not a line of a table",
        "t.csv | lr;1;\"two;lines\";3,4 | t.csv:5: has 2 values",
        "t.csv | lr | t.csv: has no item; write one on each line below the header",
        "t.txt | ;; | t.txt: has no item; write one on each line",
        "t.tsv | a | t.tsv: is neither a table (.csv) nor a list (.txt)",
      })
  void whatIsWrongHasItsPlace(String file, String text, String message) {
    assertThatThrownBy(() -> read(file, text.replace(';', '\n')))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void itemsHaveALimit() {
    var most = "x\n".repeat(ItemsFileReader.MOST);

    assertThat(read("t.txt", most).rows()).hasSize(ItemsFileReader.MOST);
    assertThatThrownBy(() -> read("t.txt", most + "y\n"))
        .hasMessageContaining("t.txt:100001: is one item more than 100,000");
    assertThatThrownBy(() -> read("t.txt", "a\n" + "b".repeat(70_000)))
        .hasMessageContaining("t.txt:2: has 70,000 characters; at most 65,536");
  }

  private static FileItems read(String file, String text) {
    return ItemsFileReader.read(file, text.getBytes(UTF_8));
  }
}
