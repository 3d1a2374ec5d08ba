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
    return new FreeResources(gpus(sum), List.of(devices));
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
