package dev.mayfly.agent;

import dev.mayfly.core.agent.loop.AgentEffect;
import java.util.function.Consumer;

/**
 * An effect executor that is set after the event loop was created. Effects before that are bugs.
 */
final class DeferredEffectExecutor implements Consumer<AgentEffect> {
  private volatile Consumer<AgentEffect> executor =
      effect -> {
        throw new IllegalStateException("effect before its executor is set: " + effect);
      };

  void set(Consumer<AgentEffect> made) {
    executor = made;
  }

  @Override
  public void accept(AgentEffect effect) {
    executor.accept(effect);
  }
}
