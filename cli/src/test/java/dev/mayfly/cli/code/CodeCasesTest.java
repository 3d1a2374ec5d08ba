package dev.mayfly.cli.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of what is packed, case by case. The Python client passes the same cases. */
class CodeCasesTest {
  private static final Path CASES = Path.of("..", "clients/python/tests/code_cases.json");

  @TempDir Path temp;

  record Cases(List<Case> cases) {}

  /**
   * @param tree files, {@code folder/}, {@code link -> target}, {@code pipe |}
   * @param text the content of more files
   */
  record Case(
      String name,
      List<String> tree,
      Map<String, String> text,
      List<String> packed,
      List<String> folders,
      Optional<String> said,
      List<String> refused) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() throws IOException {
    return Wire.shared().read(Cases.class, Files.readAllBytes(CASES)).cases().stream();
  }

  private static void make(Path folder, Case of) throws Exception {
    for (var line : of.tree()) {
      var parts = line.split(" -> ", 2);
      var place = folder.resolve(parts[0].replaceFirst("(/| [|])$", ""));
      Files.createDirectories(place.getParent());
      if (parts.length == 2) Files.createSymbolicLink(place, Path.of(parts[1]));
      else if (line.endsWith("/")) Files.createDirectory(place);
      else if (line.endsWith(" |"))
        assertThat(new ProcessBuilder("mkfifo", place.toString()).start().waitFor()).isZero();
      else Files.writeString(place, line);
    }
    for (var file : of.text().entrySet())
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void eachCaseIsPackedAsItSays(Case of) throws Exception {
    var folder = Files.createDirectory(temp.resolve("code"));
    make(folder, of);

    if (!of.refused().isEmpty()) {
      assertThatThrownBy(() -> CodeFiles.of(folder))
          .isInstanceOfSatisfying(
              InvalidInputException.class,
              refused ->
                  assertThat(refused.problems())
                      .extracting(InputError::message)
                      .isEqualTo(of.refused()));
      return;
    }
    var codeFiles = CodeFiles.of(folder);
    assertThat(codeFiles.paths()).isEqualTo(of.packed());
    assertThat(codeFiles.folders()).isEqualTo(of.folders());
    assertThat(codeFiles.leftOut().words()).isEqualTo(of.said().orElseThrow());
  }
}
