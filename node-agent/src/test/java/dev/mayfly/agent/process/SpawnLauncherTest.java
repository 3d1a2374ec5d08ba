package dev.mayfly.agent.process;

final class SpawnLauncherTest extends CommandLauncherContract {
  private static final CommandLauncher LAUNCHER = SpawnLauncher.load().orElseThrow();

  @Override
  protected CommandLauncher launcher() {
    return LAUNCHER;
  }
}
