package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteScanTest {

  @Test
  void findsWhatALoopFinds() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(40)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] =
            (byte) (random.nextInt(20) == 0 ? random.nextInt(256) : '\n' + random.nextInt(3));
      }
      int from = random.nextInt(bytes.length + 1);
      int to = random.nextInt(from, bytes.length + 1);
      byte[] part = Arrays.copyOfRange(bytes, from, to);

      int index = Bytes.indexOf(part, (byte) '\f');
      assertThat(ByteScan.indexOf(bytes, from, to, '\f')).isEqualTo(index < 0 ? -1 : from + index);
      assertThat(ByteScan.isAscii(bytes, from, to))
          .isEqualTo(Bytes.asList(part).stream().allMatch(b -> b >= 0));
    }
  }
}
