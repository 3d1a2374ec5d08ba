package dev.mayfly.agent.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/** Binds functions of the C library; throws for a missing function. */
@SuppressWarnings("restricted") // Native access is what this class is for; the launcher grants it.
public final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup SYMBOLS = LINKER.defaultLookup();

  /** Receives errno from calls bound with {@link #withErrno}. */
  public static final MemoryLayout ERRNO = Linker.Option.captureStateLayout();

  private Libc() {}

  /** {@code int name(shape)}: P is a pointer, I an int, L a long. */
  public static MethodHandle bind(String name, String shape) {
    return LINKER.downcallHandle(symbol(name), descriptor(shape));
  }

  /** As {@link #bind}, with a first argument that receives errno ({@link #ERRNO}). */
  public static MethodHandle withErrno(String name, String shape) {
    var capture = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(symbol(name), descriptor(shape), capture);
  }

  /**
   * As {@link #withErrno}, for a function that is variadic after its first {@code fixed} arguments.
   */
  public static MethodHandle variadicWithErrno(String name, String shape, int fixed) {
    var capture = Linker.Option.captureCallState("errno");
    var variadic = Linker.Option.firstVariadicArg(fixed);
    return LINKER.downcallHandle(symbol(name), descriptor(shape), capture, variadic);
  }

  /** The errno of the last call. */
  public static int errno(MemorySegment state) {
    return state.get(JAVA_INT, 0);
  }

  /** Wraps what a bound function threw, which only a broken binding does. */
  public static IllegalStateException broken(Throwable cause) {
    return new IllegalStateException("a call into the C library failed: " + cause, cause);
  }

  private static MemorySegment symbol(String name) {
    return SYMBOLS
        .find(name)
        .orElseThrow(() -> new NoSuchElementException("the C library has no " + name));
  }

  private static FunctionDescriptor descriptor(String shape) {
    var arguments = new MemoryLayout[shape.length()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] =
          switch (shape.charAt(i)) {
            case 'P' -> ADDRESS;
            case 'I' -> JAVA_INT;
            case 'L' -> JAVA_LONG;
            default -> throw new IllegalArgumentException("shape " + shape);
          };
    }
    return FunctionDescriptor.of(JAVA_INT, arguments);
  }
}
