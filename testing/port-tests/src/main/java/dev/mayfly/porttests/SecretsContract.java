package dev.mayfly.porttests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.Secrets;
import org.junit.jupiter.api.Test;

/** The contract of {@link Secrets}. */
public abstract class SecretsContract {
  protected abstract Secrets secrets();

  /** Adds a version to a secret, creating the secret if needed. */
  protected abstract void add(String name, String value);

  /** Denies reads of the secret. */
  protected abstract void forbid(String name);

  /** Makes the next call fail because the service is unavailable. */
  protected abstract void failNext();

  @Test
  public void latestVersionIsReadEachTime() {
    add("wandb", "first");
    assertThat(secrets().value("wandb/latest")).isEqualTo("first");

    add("wandb", "second");
    assertThat(secrets().value("wandb/latest")).isEqualTo("second");
  }

  @Test
  public void aPinnedVersionStays() {
    add("wandb", "first");
    add("wandb", "second");

    assertThat(secrets().value("wandb/1")).isEqualTo("first");
  }

  @Test
  public void everyCharacterComesBackAsItWas() {
    var value = "a\"b'c\n$(d)\\ü€ 😀=&%";
    add("odd", value);

    assertThat(secrets().value("odd/latest")).isEqualTo(value);
  }

  @Test
  public void missingSecretIsUserError() {
    assertThatThrownBy(() -> secrets().value("none/latest"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("none/latest");
  }

  @Test
  public void malformedReferenceCausesNoRequest() {
    for (var odd : new String[] {"", "wandb", "../x/latest", "a/b/c", "wandb/latest\n", "w/0x1"})
      assertThatThrownBy(() -> secrets().value(odd))
          .as(odd)
          .isInstanceOf(InvalidInputException.class);
  }

  @Test
  public void deniedReadNamesMissingRight() {
    add("locked", "secret-value");
    forbid("locked");

    assertThatThrownBy(() -> secrets().value("locked/latest"))
        .isInstanceOf(MissingPermissionException.class)
        .hasMessageContaining("locked/latest")
        .hasMessageNotContaining("secret-value");
  }

  @Test
  public void failedServiceIsNotUserError() {
    add("wandb", "first");
    failNext();

    assertThatThrownBy(() -> secrets().value("wandb/latest"))
        .isInstanceOf(UnavailableException.class);
    assertThat(secrets().value("wandb/latest")).isEqualTo("first");
  }
}
