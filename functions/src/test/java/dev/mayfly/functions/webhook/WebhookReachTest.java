package dev.mayfly.functions.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookReachTest {
  private static boolean calls(WebhookReach reach, String address) {
    return reach.refusal(InetAddress.ofLiteral(address)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8.8.8.8",
        "1.1.1.1",
        "172.15.255.255",
        "172.32.0.1",
        "100.63.255.255",
        "100.128.0.0",
        "199.36.153.8",
        "223.255.255.255",
        "2600:1900::1",
        "2a00:1450:4001:80b::200e",
        "64:ff9b::808:808",
        "2002:808:808::1"
      })
  void everyDeploymentCallsTheInternet(String address) {
    for (var reach : WebhookReach.values()) assertThat(calls(reach, address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1",
        "10.255.255.255",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "fc00::1",
        "fd12:3456::1",
        "fec0::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "::10.0.0.1",
        "2002:a00:1::1"
      })
  void privateNetworksAreForDeploymentsThatSaySo(String address) {
    assertThat(calls(WebhookReach.INTERNET, address)).isFalse();
    assertThat(calls(WebhookReach.PRIVATE_NETWORKS, address)).isTrue();
    assertThat(calls(WebhookReach.THIS_COMPUTER, address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"})
  void thisComputerIsForTheLaptop(String address) {
    assertThat(calls(WebhookReach.INTERNET, address)).isFalse();
    assertThat(calls(WebhookReach.PRIVATE_NETWORKS, address)).isFalse();
    assertThat(calls(WebhookReach.THIS_COMPUTER, address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "169.254.169.254",
        "169.254.0.1",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "239.1.1.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "fe80::1",
        "ff02::1",
        "fd20:ce::254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:a9fe:a9fe::"
      })
  void metadataServersAndOtherSpecialAddressesAreNeverCalled(String address) {
    for (var reach : WebhookReach.values())
      assertThat(calls(reach, address)).as("%s", reach).isFalse();
  }

  @Test
  void whatTheJdkCallsSpecialIsRefused() throws Exception {
    var random = new java.util.Random(11);
    for (var i = 0; i < 200_000; i++) {
      var bytes = new byte[random.nextInt(4) == 0 ? 16 : 4];
      random.nextBytes(bytes);
      if (bytes.length == 16 && random.nextBoolean())
        bytes[0] = (byte) (random.nextBoolean() ? 0xfe : 0xff);
      if (bytes.length == 4 && random.nextBoolean())
        bytes[0] = (byte) new int[] {0, 10, 127, 169, 172, 192, 224, 240}[random.nextInt(8)];
      var address = InetAddress.getByAddress(bytes);
      if (address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || address.isLinkLocalAddress()
          || address.isSiteLocalAddress()
          || address.isMulticastAddress())
        assertThat(WebhookReach.INTERNET.refusal(address)).as("%s", address).isPresent();
    }
  }
}
