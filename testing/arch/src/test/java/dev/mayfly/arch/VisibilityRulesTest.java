package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Public types are used outside their package, so that all others can be changed locally. */
class VisibilityRulesTest {
  /** Types named by Terraform, a script or a manifest. */
  private static final String ENTRY_POINTS =
      "dev\\.mayfly\\.(functions\\.\\w+Function|.*Main|functions\\.start\\.BundledRuntime)";

  @Test
  void publicTypesAreUsedOutsideTheirPackage() throws IOException, URISyntaxException {
    var users = users();

    assertThat(
            ProductionClasses.CLASSES.stream()
                .filter(it -> it.isTopLevelClass() && isPublic(it))
                .filter(it -> !it.getName().matches(ENTRY_POINTS))
                .filter(it -> isAtHome(it, users.getOrDefault(it.getName(), Set.of())))
                .map(JavaClass::getName))
        .as("public types that their own package alone uses")
        .isEmpty();
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && !type.getSimpleName().equals("package-info");
  }

  private static boolean isAtHome(JavaClass type, Set<String> packages) {
    return packages.stream().allMatch(type.getPackageName()::equals);
  }

  /** The packages that use each top-level type, including tests. */
  private static Map<String, Set<String>> users() throws IOException, URISyntaxException {
    Map<String, Set<String>> users = new HashMap<>();
    var all = new HashSet<JavaClass>();
    ProductionClasses.CLASSES.forEach(all::add);
    new ClassFileImporter().importPaths(testClasses()).forEach(all::add);
    for (var type : all)
      for (var dependency : type.getDirectDependenciesFromSelf())
        users
            .computeIfAbsent(outermost(dependency.getTargetClass().getName()), _ -> new HashSet<>())
            .add(type.getPackageName());
    for (var source : Sources.all()) addImports(source, users);
    return users;
  }

  /** The compiler inlines constants without a trace in the class file. */
  private static void addImports(Sources.Source source, Map<String, Set<String>> users) {
    for (var line : source.lines())
      if (line.startsWith("import dev.mayfly."))
        users
            .computeIfAbsent(line.substring(7, line.length() - 1), _ -> new HashSet<>())
            .add(source.folder().toString());
  }

  private static String outermost(String name) {
    var nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /** The compiled tests of every module, all at the same relative path. */
  private static List<Path> testClasses() throws IOException, URISyntaxException {
    var own =
        Path.of(
            VisibilityRulesTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    var module = Path.of("").toAbsolutePath();
    var place = module.relativize(own);
    try (Stream<Path> modules = Files.walk(Sources.ROOT, 2)) {
      return modules
          .filter(it -> Files.exists(it.resolve("pom.xml")))
          .map(it -> it.resolve(place))
          .filter(Files::isDirectory)
          .toList();
    }
  }
}
