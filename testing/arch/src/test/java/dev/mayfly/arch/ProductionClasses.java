package dev.mayfly.arch;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** The production classes of every module, read once. */
public final class ProductionClasses {
  public static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("test-classes"))
          .importPackages("dev.mayfly");

  /** The root package of each module that has production classes. */
  static final List<String> MODULES =
      List.of(
          "dev.mayfly.core",
          "dev.mayfly.wire",
          "dev.mayfly.porttests",
          "dev.mayfly.sim",
          "dev.mayfly.gcs",
          "dev.mayfly.gcp",
          "dev.mayfly.functions",
          "dev.mayfly.agent",
          "dev.mayfly.local",
          "dev.mayfly.emulators",
          "dev.mayfly.cli",
          "dev.mayfly.bench",
          "dev.mayfly.fuzz");

  private ProductionClasses() {}

  /** Classes that create the real adapters: a wiring, a main, an OS adapter. */
  static DescribedPredicate<JavaClass> edges() {
    return DescribedPredicate.describe(
        "are a Wiring, a Main or in an os package", type -> isEdge(outermost(type)));
  }

  private static boolean isEdge(JavaClass type) {
    var name = type.getSimpleName();
    // The factory of object stores is the wiring that agents, functions and command lines share.
    return name.endsWith("Wiring")
        || name.endsWith("Main")
        || name.equals("ObjectStores")
        // A task reads the wall-clock time of its kill from a file.
        || name.equals("AttemptDir")
        || type.getPackageName().endsWith(".os");
  }

  private static JavaClass outermost(JavaClass type) {
    var outer = type.getEnclosingClass();
    return outer.isEmpty() ? type : outermost(outer.get());
  }
}
