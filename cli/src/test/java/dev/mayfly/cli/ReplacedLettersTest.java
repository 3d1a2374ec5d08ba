package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.error.CommandException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplacedLettersTest {
  private static final String REPLACED = "na\uFFFDve";

  @TempDir Path folder;

  @Test
  void callersOwnReplacementCharacterIsAccepted() throws IOException {
    var given = given(REPLACED, UTF_8);

    assertThatCode(() -> ReplacedLetters.check(given, "run", REPLACED)).doesNotThrowAnyException();
  }

  @Test
  void whatJavaReplacedIsRefused() throws IOException {
    var given = given("na\u00EFve", ISO_8859_1);

    assertThatThrownBy(() -> ReplacedLetters.check(given, "run", REPLACED))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(REPLACED + " is not text in UTF-8");
  }

  private Path given(String word, Charset charset) throws IOException {
    return Files.writeString(folder.resolve("cmdline"), "java\0run\0" + word + "\0", charset);
  }
}
