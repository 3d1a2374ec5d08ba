package dev.mayfly.sim.fault;

/**
 * What a world does around each call of a port: lets others act in between, fails the call before
 * or after its effect, kills the caller.
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

  /** Before the effect. What it throws means that there was none. */
  void before(String call);

  /** After the effect, before the caller knows of it. */
  void after(String call);

  /** The call with both around it. */
  default <T> T around(String call, java.util.function.Supplier<T> effect) {
    before(call);
    var result = effect.get();
    after(call);
    return result;
  }
}
