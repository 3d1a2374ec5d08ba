package dev.mayfly.sim.fake;

import dev.mayfly.core.port.Codec;
import dev.mayfly.porttests.CodecContract;

class SimCodecTest extends CodecContract {
  private final SimCodec codec = new SimCodec();

  @Override
  protected Codec codec() {
    return codec;
  }
}
