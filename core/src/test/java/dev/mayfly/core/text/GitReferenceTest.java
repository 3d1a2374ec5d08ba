package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GitReferenceTest {
  private static final String COMMIT = "1f".repeat(20);

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "git+https://host/lab/train,https://host/lab/train,-,-",
        "git+https://host/lab/train@v1.2,https://host/lab/train,v1.2,-",
        "git+https://host/lab/train.git@feature/x,https://host/lab/train.git,feature/x,-",
        "git+ssh://git@host/lab/train,ssh://git@host/lab/train,-,-",
        "git+ssh://git@host/lab/train@main,ssh://git@host/lab/train,main,-",
        "git+file:///home/a@b/train@main,file:///home/a@b/train,main,-",
        "git+.@main,.,main,-",
        "git+../other@1f2e,../other,1f2e,-",
        "git+https://host/lab/train@v1#subdirectory=models/a,https://host/lab/train,v1,models/a"
      })
  void formIsThatOfPip(String text, String url, String revision, String subdirectory) {
    var reference = GitReference.of(text);

    assertThat(reference.url()).isEqualTo(url);
    assertThat(reference.revision().orElse(null)).isEqualTo(revision);
    assertThat(reference.subdirectory().orElse(null)).isEqualTo(subdirectory);
    assertThat(reference).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "git+",
        "git+ext::sh -c evil@main",
        "git+http://host/lab/train",
        "git+ext://host/x@main",
        "git+https://token@host/lab/train",
        "git+https://user:token@host/lab/train@main",
        "git+ssh://git:word@host/lab/train",
        "git+.@--upload-pack=evil",
        "git+.@a..b",
        "git+.@",
        "git+.@main~1",
        "git+.@a b",
        "git+.@main#subdirectory=../x",
        "git+.@main#subdirectory=/etc",
        "git+.@main#subdirectory=.git",
        "git+.@main#egg=train"
      })
  void whatIsNoReferenceIsRefused(String text) {
    assertThatThrownBy(() -> GitReference.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void foundReferenceNamesCommitAndWhatWasAskedFor() {
    var asked = GitReference.of("git+https://host/lab/train@main#subdirectory=models");

    var found = asked.at("https://host/lab/train", COMMIT);

    assertThat(found)
        .hasToString("git+https://host/lab/train@" + COMMIT + "#subdirectory=models&ref=main");
    assertThat(GitReference.of(found.toString())).isEqualTo(found);
    assertThat(found.commit()).contains(COMMIT);
    assertThat(found.words())
        .isEqualTo("commit 1f1f1f1f1f1f of https://host/lab/train (main), in models");
    assertThat(asked.commit()).isEmpty();
  }
}
