package dev.mayfly.local.control;

import dev.mayfly.core.port.Codec;
import dev.mayfly.porttests.CodecContract;
import dev.mayfly.wire.Wire;

/** Here and not in {@code wire}, whose tests come before the contracts. */
class WireCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return Wire.codec();
  }
}
