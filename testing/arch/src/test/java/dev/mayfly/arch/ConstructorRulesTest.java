package dev.mayfly.arch;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What only tests construct is constructed in their fixtures: a second constructor that no product
 * code calls is not the product's.
 */
class ConstructorRulesTest {
  private static final List<String> PROOF =
      List.of(
          "dev.mayfly.porttests",
          "dev.mayfly.sim",
          "dev.mayfly.emulators",
          "dev.mayfly.bench",
          "dev.mayfly.fuzz");

  @Test
  void eachFurtherConstructorHasProductCaller() {
    assertThat(unused())
        .extracting(it -> it.getFullName() + " " + it.getSourceCodeLocation())
        .as("constructors that only tests call")
        .isEmpty();
  }

  /** A call by a constructor that nobody calls is none. */
  private static Set<JavaConstructor> unused() {
    Set<JavaConstructor> unused = new LinkedHashSet<>();
    Set<JavaConstructor> before;
    do {
      before = unused;
      unused =
          ProductionClasses.CLASSES.stream()
              .filter(type -> !isProof(type))
              .flatMap(ConstructorRulesTest::further)
              .filter(callersAreAll(before))
              .collect(toCollection(LinkedHashSet::new));
    } while (unused.size() > before.size());
    return unused;
  }

  private static Predicate<JavaConstructor> callersAreAll(Set<JavaConstructor> unused) {
    return it ->
        it.getAccessesToSelf().stream()
            .map(JavaAccess::getOrigin)
            .allMatch(from -> isProof(from.getOwner()) || unused.contains(from));
  }

  /** Those beside the one that a record or a class must have. */
  private static Stream<JavaConstructor> further(JavaClass type) {
    var all = type.getConstructors();
    if (all.size() < 2) return Stream.empty();
    return all.stream()
        .filter(it -> !it.getModifiers().contains(JavaModifier.PRIVATE))
        .filter(it -> !type.isRecord() || delegates(it));
  }

  /** All constructors of a record but its canonical one call another. */
  private static boolean delegates(JavaConstructor constructor) {
    return constructor.getConstructorCallsFromSelf().stream()
        .anyMatch(call -> call.getTargetOwner().equals(constructor.getOwner()));
  }

  private static boolean isProof(JavaClass type) {
    return PROOF.stream().anyMatch(it -> (type.getPackageName() + ".").startsWith(it + "."));
  }
}
