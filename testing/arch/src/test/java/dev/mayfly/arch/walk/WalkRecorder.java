package dev.mayfly.arch.walk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Loads the project's classes anew so that each of their methods says when it begins. */
public final class WalkRecorder extends ClassLoader {
  private static final String PROJECT = "dev.mayfly.";
  private static final ClassDesc RECORDER = ClassDesc.of(WalkRecorder.class.getName());
  private static final MethodTypeDesc ENTERED =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

  private static volatile Set<String> walk = none();

  WalkRecorder() {
    super(WalkRecorder.class.getClassLoader());
  }

  /** Calls what is recorded make this, with the name of their class. */
  public static void entered(String type) {
    walk.add(type);
  }

  /** From now on; what was recorded before is forgotten. */
  public static void begin() {
    walk = none();
  }

  private static Set<String> none() {
    return Collections.synchronizedSet(new LinkedHashSet<>());
  }

  /**
   * The names of all top-level types of which a method began since {@link #begin}, in the order in
   * which each was met first.
   */
  public static Set<String> end() {
    var ended = walk;
    walk = none();
    return ended;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROJECT) || name.equals(WalkRecorder.class.getName()))
      return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      var loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (var file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) throw new ClassNotFoundException(name);
      var told = told(name, file.readAllBytes());
      return defineClass(name, told, 0, told.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] told(String name, byte[] bytes) {
    var nested = name.indexOf('$');
    var top = nested < 0 ? name : name.substring(0, nested);
    var classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(bytes), ClassTransform.transformingMethodBodies(atStart(top)));
  }

  private static CodeTransform atStart(String type) {
    return CodeTransform.ofStateful(() ->
        new CodeTransform() {
          @Override
          public void atStart(CodeBuilder code) {
            code.ldc(type).invokestatic(RECORDER, "entered", ENTERED);
          }

          @Override
          public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
          }
        });
  }
}
