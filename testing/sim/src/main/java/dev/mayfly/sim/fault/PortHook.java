package dev.mayfly.sim.fault;

/**
 * Runs around each call of a port: lets others act in between, fails the call before or after its
 * effect, or kills the caller.
 */
public interface PortHook {
  /** No faults. */
  PortHook NONE =
      new PortHook() {
        @Override
        public void before(String call) {}

        @Override
        public void after(String call) {}
      };

  /** Runs before the effect. An exception means that there was none. */
  void before(String call);

  /** Runs after the effect, before the call returns. */
  void after(String call);

  /** Runs the call between both. */
  default <T> T around(String call, java.util.function.Supplier<T> effect) {
    before(call);
    var result = effect.get();
    after(call);
    return result;
  }
}
