package dev.mayfly.agent;

import dev.mayfly.core.agent.loop.AgentEffect;
import java.util.function.Consumer;

/** A performer that is made after the loop whose events it tells; before that nothing is asked. */
final class DeferredEffectExecutor implements Consumer<AgentEffect> {
  private volatile Consumer<AgentEffect> performer =
      effect -> {
        throw new IllegalStateException("asked before it was there: " + effect);
      };

  void set(Consumer<AgentEffect> made) {
    performer = made;
  }

  @Override
  public void accept(AgentEffect effect) {
    performer.accept(effect);
  }
}
