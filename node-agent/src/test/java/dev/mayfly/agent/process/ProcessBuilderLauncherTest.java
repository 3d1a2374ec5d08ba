package dev.mayfly.agent.process;

final class ProcessBuilderLauncherTest extends CommandLauncherContract {
  private final CommandLauncher commandLauncher = new ProcessBuilderLauncher();

  @Override
  protected CommandLauncher launcher() {
    return commandLauncher;
  }

  @Override
  protected int quick() {
    return 100;
  }
}
