package dev.mayfly.core.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogSearchTest {
  @Test
  void aFamilyIsSortedBySize() {
    assertThat(found("c2"))
        .containsExactly(
            "c2-standard-4", "c2-standard-8", "c2-standard-16", "c2-standard-30", "c2-standard-60");
    assertThat(found("v6e")).startsWith("v6e-1", "v6e-4", "v6e-8").endsWith("v6e-256");
    assertThat(found("ct6e"))
        .containsExactly("ct6e-standard-1t", "ct6e-standard-4t", "ct6e-standard-8t");
    assertThat(found("t2d", "c2")).startsWith("c2-standard-4").endsWith("t2d-standard-60");
  }

  @Test
  void patternsAndBeginningsMatch() {
    assertThat(found("a3-mega*")).containsExactly("a3-megagpu-8g");
    assertThat(found("A2-*GPU-1?")).containsExactly("a2-highgpu-1g", "a2-ultragpu-1g");
    assertThat(found("a2-ultra")).hasSize(4);
    assertThat(found("v5")).contains("v5p-8", "v5litepod-1");
  }

  @Test
  void wholeNameMeansItselfAlone() {
    assertThat(found("n2-standard-4")).containsExactly("n2-standard-4");
    assertThat(found("n2")).allMatch(type -> type.startsWith("n2-"));
    assertThat(found("tpu7x-8")).containsExactly("tpu7x-standard-4t");
    assertThat(found("v6e-8")).containsExactly("v6e-8");
    assertThat(found("n2-custom-6-20480")).containsExactly("n2-custom-6-20480");
  }

  @Test
  void unknownNameGetsNearOnes() {
    assertThat(near("a3-highgpu-3g"))
        .startsWith("a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g", "a3-highgpu-8g");
    assertThat(near("v5e-8")).startsWith("v5litepod-8");
    assertThat(near("h100")).contains("a3-highgpu-1g");
    assertThat(near("a5-*")).contains("a2", "a3", "a4");
    assertThat(near("zzzzzzzz")).isEmpty();
    assertThat(near("n2-[")).isNotNull();
  }

  @Test
  void armTypesAreToldWithTheirReason() {
    var unknown = (CatalogSearch.Unknown) CatalogSearch.find(List.of("t2a-*", "n2"), _ -> true);

    assertThat(unknown.misses())
        .singleElement()
        .satisfies(miss -> assertThat(miss.unusable()).isPresent());
  }

  @Test
  void someTypesAloneAreSearched() {
    var none = CatalogSearch.find(List.of("n2"), entry -> entry.gpus() > 0);
    var tpus = CatalogSearch.find(List.of(), entry -> entry.chips() > 0);

    assertThat(none).isInstanceOf(CatalogSearch.Unknown.class);
    assertThat(((CatalogSearch.Found) tpus).entries()).hasSize(59);
  }

  private static List<String> found(String... words) {
    var found = (CatalogSearch.Found) CatalogSearch.find(List.of(words), _ -> true);
    return found.entries().stream().map(CatalogEntry::type).toList();
  }

  private static List<String> near(String word) {
    var unknown = (CatalogSearch.Unknown) CatalogSearch.find(List.of(word), _ -> true);
    return unknown.misses().getFirst().near();
  }
}
