import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives the classes of a jar the class format of Java 8, with the stack maps that it requires,
 * because classes in the format of Java 5 are kept out of every cache of loaded classes.
 *
 * <p>{@code java -cp JAR NewerClasses.java JAR} changes the jar in place; a repeat changes nothing.
 */
final class NewerClasses {
  private static final ClassTransform WITH_STACK_MAPS =
      (builder, element) -> {
        if (element instanceof ClassFileVersion) builder.withVersion(ClassFile.JAVA_8_VERSION, 0);
        else if (element instanceof MethodModel method)
          builder.transformMethod(method, MethodTransform.transformingCode(CodeBuilder::with));
        else builder.with(element);
      };

  public static void main(String[] arguments) throws IOException {
    var format = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
    try (var jar = FileSystems.newFileSystem(Path.of(arguments[0]));
        var files = Files.walk(jar.getPath("/"))) {
      for (var file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        var old = format.parse(Files.readAllBytes(file));
        if (old.majorVersion() < ClassFile.JAVA_6_VERSION)
          Files.write(file, format.transformClass(old, WITH_STACK_MAPS));
      }
    }
  }
}
