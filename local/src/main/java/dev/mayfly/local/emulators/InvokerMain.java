package dev.mayfly.local.emulators;

import com.google.cloud.functions.invoker.runner.Invoker;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * One function under the real Functions Framework, which otherwise listens to the whole network.
 */
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
   * The framework loads the function's class when its server is made and does not listen yet: the
   * one moment to say where it is to listen, for which the framework has no setting.
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
            "this Functions Framework can't be kept on loopback; use version 2.0.0", changed);
      }
    }
  }
}
