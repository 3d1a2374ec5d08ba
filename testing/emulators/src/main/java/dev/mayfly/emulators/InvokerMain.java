package dev.mayfly.emulators;

import com.google.cloud.functions.invoker.runner.Invoker;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/** Runs one function in the real Functions Framework, limited to loopback. */
public final class InvokerMain {
  private InvokerMain() {}

  /**
   * @param arguments the function's class, and the port
   */
  public static void main(String[] arguments) throws Exception {
    var loader = new Loopback(arguments[0]);
    var invoker = new Invoker(Integer.valueOf(arguments[1]), arguments[0], null, loader);
    loader.invoker = invoker;
    invoker.startServer();
  }

  /**
   * The framework has no setting for the listen address. It loads the function's class after it
   * creates its server and before it listens: the only moment to set the address.
   */
  private static final class Loopback extends ClassLoader {
    private final String target;
    @Nullable Invoker invoker;

    Loopback(String target) {
      super(InvokerMain.class.getClassLoader());
      this.target = target;
    }

    @Override
    public Class<?> loadClass(String name) throws ClassNotFoundException {
      if (name.equals(target)) bind(Objects.requireNonNull(invoker));
      return super.loadClass(name);
    }

    private static void bind(Invoker invoker) {
      try {
        var server =
            (Server)
                MethodHandles.privateLookupIn(Invoker.class, MethodHandles.lookup())
                    .findGetter(Invoker.class, "server", Server.class)
                    .invoke(invoker);
        for (var connector : server.getConnectors())
          ((ServerConnector) connector).setHost("127.0.0.1");
      } catch (Throwable changed) {
        throw new IllegalStateException(
            "this Functions Framework cannot be limited to loopback; use version 2.0.0", changed);
      }
    }
  }
}
