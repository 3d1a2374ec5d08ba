package dev.mayfly.agent.os;

final class ProcessLauncherTest extends LauncherContract {
  private final Launcher launcher = new ProcessLauncher();

  @Override
  protected Launcher launcher() {
    return launcher;
  }

  @Override
  protected int quick() {
    return 100;
  }
}
