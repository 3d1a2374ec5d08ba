package dev.mayfly.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HumanAmountsTest {
  /** The page has the same in format.js. */
  @Test
  void smallAmountsOfMoneyHaveMoreDigits() {
    assertThat(HumanAmounts.usd(0)).isEqualTo("$0.00");
    assertThat(HumanAmounts.usd(0.00004)).isEqualTo("<$0.0001");
    assertThat(HumanAmounts.usd(0.0005)).isEqualTo("$0.0005");
    assertThat(HumanAmounts.usd(0.01234)).isEqualTo("$0.0123");
    assertThat(HumanAmounts.usd(0.012)).isEqualTo("$0.012");
    assertThat(HumanAmounts.usd(0.05)).isEqualTo("$0.05");
    assertThat(HumanAmounts.usd(0.1)).isEqualTo("$0.10");
    assertThat(HumanAmounts.usd(1_234.5)).isEqualTo("$1,234.50");
  }

  @Test
  void smallAmountsOfHoursHaveMoreDigits() {
    assertThat(HumanAmounts.hours(0)).isEqualTo("0");
    assertThat(HumanAmounts.hours(0.00004)).isEqualTo("<0.0001");
    assertThat(HumanAmounts.hours(0.00123)).isEqualTo("0.0012");
    assertThat(HumanAmounts.hours(0.126)).isEqualTo("0.13");
  }

  @Test
  void memoryOfSmallProgramsIsNotNothing() {
    assertThat(HumanAmounts.gib(0)).isEqualTo("0 GiB");
    assertThat(HumanAmounts.gib(10_280_000)).isEqualTo("9.8 MiB");
    assertThat(HumanAmounts.gib((1L << 30) / 4)).isEqualTo("0.3 GiB");
  }
}
