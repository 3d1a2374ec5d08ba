package dev.mayfly.arch.walk;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.mayfly.arch.ProductionClasses;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.SecureDirectoryStream;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A folder that is stored is walked by {@code core.files}, which says of each entry that it is
 * stored, refused or named. A walk of its own drops what its author did not think of.
 */
class WalkRulesTest {
  private static final Set<String> WALKS =
      Set.of("walk", "walkFileTree", "list", "find", "newDirectoryStream");

  private static final Set<String> OF_FILE = Set.of("list", "listFiles");

  /** Who lists folders, and why none of it is a person's folder that is stored. */
  private static final Map<String, String> REASONS =
      Map.ofEntries(
          entry("cli.files.LocalTree", "the adapter of commands"),
          entry("cli.report.ControlLogs", "logs of the laptop cloud, by their names"),
          entry("agent.files.SecureDirectory", "the adapter of the agent lists with it"),
          entry("cli.files.LocalFolders", "deletes, measures and shows folders of this computer"),
          entry("agent.files.FileTrees", "copies, hands over and deletes what the agent unpacked"),
          entry("agent.files.ZipUnpacker", "all entries of an archive, none of which is a link"),
          entry("agent.files.WorkDir", "half-unpacked code, to be deleted"),
          entry("agent.boot.SeedLock", "the locks of a storage's seed"),
          entry("cli.code.ScratchRepository", "the parts of a list that git keeps"),
          entry("local.machines.MachineProcesses", "processes in /proc"),
          entry("local.machines.ProcessTable", "processes in /proc"),
          entry("agent.process.kill.ProcessTable", "processes in /proc"),
          entry("agent.metrics.MachineProcesses", "processes in /proc"),
          entry("agent.process.kill.FirstProcess", "the agent's own records of attempts"),
          entry("agent.machine.HeldDevices", "open files in /proc"),
          entry("agent.container.TpuDevices", "devices in /dev"),
          entry("gcs.files.FileListing", "a folder as a bucket: it names what is no object"),
          entry("local.storage.bucket.ObjectWalker", "a bucket of the laptop cloud"),
          entry("local.storage.bucket.BucketFolders", "buckets of the laptop cloud"),
          entry("local.machines.Hypervisor", "homes of machines of the laptop cloud"),
          entry("local.secrets.SecretStore", "secrets of the laptop cloud"),
          entry("local.os.DocumentFolder", "the laptop cloud's own documents"),
          entry("emulators.GoogleSdk", "jars of Google's SDK"),
          entry("bench.start.FunctionArchive", "jars that were just built"),
          entry("fuzz.TempFolders", "deletes what an input left"),
          entry("fuzz.BundleTarget", "looks at what unpacking left"),
          entry("porttests.GoogleEmulator", "jars of an emulator"),
          entry("porttests.TreeOracle", "what walks are compared with"));

  @Test
  void onlyAdaptersOfThePolicyWalkFolders() {
    noClasses()
        .that(DescribedPredicate.not(isListed()))
        .should()
        .accessTargetWhere(describe("it lists a folder", WalkRulesTest::lists))
        .because("walks end in stored, refused or named: use core.files.FolderWalk")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void eachReasonIsOfAClassThatLists() {
    for (var name : REASONS.keySet())
      assertThat(
              ProductionClasses.CLASSES.stream()
                  .filter(type -> outermost(type).equals("dev.mayfly." + name))
                  .flatMap(type -> type.getAccessesFromSelf().stream()))
          .as(name)
          .anyMatch(WalkRulesTest::lists);
  }

  private static DescribedPredicate<JavaClass> isListed() {
    return describe(
        "have a reason to list folders",
        type -> REASONS.containsKey(outermost(type).replaceFirst("^dev[.]mayfly[.]", "")));
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("[$].*", "");
  }

  private static boolean lists(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    var name = access.getTarget().getName();
    return (owner.isEquivalentTo(Files.class) && WALKS.contains(name))
        || (owner.isAssignableTo(File.class) && OF_FILE.contains(name))
        || (owner.isAssignableTo(SecureDirectoryStream.class) && WALKS.contains(name));
  }
}
