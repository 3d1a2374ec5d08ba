package dev.mayfly.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FreeResourcesTest {
  private static Resources gpus(long millis) {
    return new Resources(0, 0, millis, 0);
  }

  private static FreeResources free(Integer... devices) {
    var sum = List.of(devices).stream().mapToLong(d -> d).sum();
    return new FreeResources(gpus(sum), List.of(devices), List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "8000,600,8", "8000,400,16", "8000,300,24", "8000,250,32", "8000,200,40", "1000,1000,1",
    "8000,2000,4", "8000,3000,2", "4000,1500,2", "3000,1500,2", "5000,1400,3", "500,500,1",
    "2500,500,5", "2500,1000,2", "0,100,0"
  })
  void slotsAreCountedByDevice(long has, long need, long slots) {
    assertThat(gpus(has).slots(gpus(need))).isEqualTo(slots);
    assertThat(FreeResources.of(gpus(has)).slots(gpus(need))).isEqualTo(slots);
  }

  @Test
  void restsOfDevicesAreNotAddedUp() {
    assertThat(free(200, 200, 200).slots(gpus(500))).isZero();
    assertThat(free(600, 200, 500).slots(gpus(500))).isEqualTo(2);
    assertThat(free(600, 1000).slots(gpus(1_500))).isEqualTo(1);
    assertThat(free(900, 900).slots(gpus(1_000))).isZero();
  }

  @Test
  void otherAmountsCountToo() {
    var machine = new Resources(1_000, 4, 8_000, 0);

    assertThat(machine.slots(new Resources(500, 1, 250, 0))).isEqualTo(2);
    assertThat(machine.slots(new Resources(500, 1, 0, 0))).isEqualTo(2);
  }

  @Test
  void partGoesToFullestFittingDevice() {
    assertThat(free(1000, 300, 500).place(gpus(300))).contains(List.of(1));
    assertThat(free(1000, 300, 500).place(gpus(400))).contains(List.of(2));
    assertThat(free(300, 1000, 500).place(gpus(1_400))).contains(List.of(1, 2));
    assertThat(free(300, 300).place(gpus(400))).isEmpty();
  }

  @Test
  void asManyAreTakenAsFit() {
    var room = FreeResources.of(gpus(2_000)).without(gpus(600), 2);

    assertThat(room.gpus()).containsExactly(400, 400);
    assertThat(room.slots(gpus(400))).isEqualTo(2);
    assertThat(room.without(gpus(600), 1).slots(gpus(400))).as("overcommitted").isZero();
  }

  private static final long MIB = 1L << 20;

  /** Devices of 16 GiB. */
  private static Resources t4s(long millis) {
    return gpus(millis).withGpuMemory(16_384 * MIB);
  }

  private static Resources memory(long millis, long mib) {
    return gpus(millis).withGpuMemory(mib * MIB);
  }

  @ParameterizedTest
  @CsvSource({
    // By memory alone: the part of the device follows from it.
    "2000,0,4096,8",
    "1000,0,5461,3",
    "1000,0,16384,1",
    "1000,0,16385,0",
    "1000,0,1,1000",
    // By both: a device is shared while both fit.
    "1000,250,4096,4",
    "1000,250,8192,2",
    "1000,500,1024,2",
    "2000,250,6144,4",
    "1000,100,16384,1",
    // Whole devices bring all of their memory.
    "4000,2000,12288,2",
    "4000,1000,16384,4",
    "4000,1000,16385,0",
    "3000,1500,8192,2",
    "3000,1500,8193,1",
    "500,500,8192,1",
    "500,250,8192,1"
  })
  void devicesAreSharedWhileMemoryFits(long has, long millis, long mib, long slots) {
    assertThat(t4s(has).slots(memory(millis, mib))).isEqualTo(slots);
  }

  @Test
  void partWithoutMemoryHasItInProportion() {
    var room = FreeResources.of(t4s(1_000)).without(gpus(250), 1);

    assertThat(room.gpuMemory()).containsExactly(12_288 * MIB);
    assertThat(room.slots(memory(0, 12_288))).isEqualTo(1);
    assertThat(room.slots(memory(0, 12_289))).isZero();
  }

  @Test
  void unknownMemoryTakesNoTaskThatAsksForIt() {
    assertThat(gpus(2_000).slots(memory(250, 1))).isZero();
    assertThat(gpus(2_000).slots(memory(0, 1))).isZero();
    assertThat(gpus(2_000).slots(gpus(250))).isEqualTo(8);
  }

  @Test
  void quartersOfMemoryFillOneDeviceFirst() {
    var room = FreeResources.of(t4s(2_000));
    for (var device : List.of(0, 0, 0, 0, 1)) {
      assertThat(room.place(memory(0, 4_096))).contains(List.of(device));
      room = room.without(memory(0, 4_096), 1);
    }
    assertThat(room.gpus()).containsExactly(0, 750);
    assertThat(room.amounts().gpuMillis()).isEqualTo(750);
    assertThat(room.gpuMemory()).containsExactly(0L, 12_288 * MIB);
  }

  @Test
  void reportedUseLeavesTheRest() {
    var room = FreeResources.of(t4s(2_000)).using(List.of(250, 0), List.of(8_192 * MIB, 0L));
    assertThat(room.gpuMemory()).containsExactly(8_192 * MIB, 16_384 * MIB);

    assertThat(
            new FreeResources(t4s(2_000), List.of(750, 1_000), List.of()).slots(memory(0, 12_289)))
        .as("free parts alone are known")
        .isEqualTo(1);

    // An agent that counts thousandths alone.
    var older = FreeResources.of(t4s(2_000)).using(List.of(250, 0), List.of());
    assertThat(older.gpuMemory()).containsExactly(12_288 * MIB, 16_384 * MIB);
  }

  @Test
  void memoryPlacesAgreeWithSlots() {
    for (var millis : List.of(0, 100, 250, 600, 1_000, 1_500))
      for (var mib : List.of(1_000, 4_096, 5_461, 9_000, 16_384)) {
        var need = memory(millis, mib);
        var room = FreeResources.of(t4s(4_000)).without(memory(300, 2_000), 2).without(need, 1);
        var slots = room.slots(need);
        for (var i = 0; i < slots; i++) {
          assertThat(room.place(need)).as("%d of %d: %s", i, slots, need).isPresent();
          room = room.without(need, 1);
        }
        assertThat(room.fits(need)).as("%s", need).isFalse();
        assertThat(room.gpus()).allMatch(free -> free >= 0);
        assertThat(room.gpuMemory()).allMatch(free -> free >= 0);
      }
  }

  @Test
  void placesAgreeWithSlots() {
    for (var need : List.of(100, 200, 250, 300, 400, 500, 600, 1_000, 1_200, 1_500, 2_000)) {
      var room = free(1000, 700, 1000, 250, 1000);
      var slots = room.slots(gpus(need));
      for (var i = 0; i < slots; i++) {
        assertThat(room.place(gpus(need))).as("%d of %d", i, need).isPresent();
        room = room.without(gpus(need), 1);
      }
      assertThat(room.fits(gpus(need))).isFalse();
    }
  }
}
