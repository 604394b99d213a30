package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import com.google.common.primitives.Bytes;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;

/**
 * A packed file of lines. An input is a list of steps that build it: members with headers of every
 * kind, raw bytes, zeros, bytes that are changed, a cut; so that mutations get behind checksums.
 */
final class GzipTarget {

  private static final Scratch FILE = new Scratch("acks.jsonl.gz");
  private static final Scratch PLAIN = new Scratch("acks.jsonl");
  private static final Layout LAYOUT = Layout.of(Input.ACKNOWLEDGEMENTS, List.of());
  private static final ArchiveReader READER = ArchiveReader.create();
  private static final int LARGEST = 1 << 20;
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private GzipTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Steps steps = new Steps(input);
    byte[] file = steps.build();
    if (file.length < 2 || file[0] != 0x1F || file[1] != (byte) 0x8B) {
      return;
    }
    Heard heard = read(FILE, file);
    same("what is read twice", heard.records, read(FILE, file).records);
    if (steps.sound) {
      holds(heard.wholes.isEmpty() || isNoText(heard), "a sound file is refused", heard.wholes);
    }
    if (!heard.wholes.isEmpty()) {
      return;
    }
    byte[] text;
    try (GZIPInputStream peer = new GZIPInputStream(new ByteArrayInputStream(file))) {
      text = peer.readAllBytes();
    } catch (IOException e) {
      // It holds the checksums of headers against them, which mean nothing to the content.
      holds(String.valueOf(e.getMessage()).contains("header"), "read what is damaged", e);
      return;
    }
    Heard plain = read(PLAIN, text);
    if (!plain.wholes.isEmpty() || Bytes.indexOf(text, MARK) >= 0) {
      return;
    }
    if (steps.sound) {
      same("records of the packed file", plain.records, heard.records);
      same("lines of the packed file", plain.lines, heard.lines);
    } else if (!plain.records.isEmpty()) {
      // The peer ends without a word before a member whose header it does not like.
      int known = plain.records.size() - 1;
      holds(heard.records.size() >= known, "records are lost", heard.records);
      same(
          "first records of the packed file",
          plain.records.subList(0, known),
          heard.records.subList(0, known));
    }
  }

  private static boolean isNoText(Heard heard) {
    return heard.wholes.get(0).contains("not JSON lines");
  }

  private static Heard read(Scratch scratch, byte[] content) throws IOException {
    return Heard.of(
        scratch.with(Input.ACKNOWLEDGEMENTS, content),
        LAYOUT,
        Archive.ofFiles("acks"),
        SplitPlanner.create(),
        READER);
  }

  /** Builds a file, step by step. */
  private static final class Steps {

    private final byte[] input;
    private int at;
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    /** Whether nothing but members were written, and zeros at most behind them. */
    private boolean sound = true;

    private boolean ended;

    Steps(byte[] input) {
      this.input = input;
    }

    byte[] build() throws IOException {
      byte[] changed = null;
      while (at < input.length && file.size() < LARGEST) {
        int step = octet();
        switch (step % 6) {
          case 0, 1 -> {
            sound &= !ended;
            member(step >> 3, take());
          }
          case 2 -> {
            sound = false;
            file.writeBytes(take());
          }
          case 3 -> {
            ended = true;
            file.writeBytes(new byte[1 + octet()]);
          }
          case 4 -> changed = change(octet() << 8 | octet(), octet());
          default -> changed = cut(octet() << 8 | octet());
        }
        if (changed != null) {
          file.reset();
          file.writeBytes(changed);
          changed = null;
        }
      }
      return file.toByteArray();
    }

    private int octet() {
      return at < input.length ? input[at++] & 0xFF : 0;
    }

    /** A length and so many bytes, over and over for lengths of more than 200. */
    private byte[] take() {
      int length = octet();
      int count = Math.min(length, input.length - at);
      byte[] bytes = new byte[count];
      System.arraycopy(input, at, bytes, 0, count);
      at += count;
      byte[] all = bytes;
      for (int i = 200; i < length && all.length < LARGEST / 4; i += 5) {
        all = Bytes.concat(all, all);
      }
      return all;
    }

    private byte[] change(int position, int mask) {
      byte[] bytes = file.toByteArray();
      if (bytes.length > 0 && mask != 0) {
        sound = false;
        bytes[position % bytes.length] ^= (byte) mask;
      }
      return bytes;
    }

    private byte[] cut(int position) {
      byte[] bytes = file.toByteArray();
      if (bytes.length > 0) {
        sound = false;
        byte[] head = new byte[position % bytes.length];
        System.arraycopy(bytes, 0, head, 0, head.length);
        return head;
      }
      return bytes;
    }

    private void member(int flags, byte[] content) {
      int fields = flags & 0x1F & ~1;
      int start = file.size();
      file.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, (byte) fields, 1, 2, 3, 4, 0, 3});
      if ((fields & 4) != 0) {
        file.writeBytes(new byte[] {3, 0, 'x', 'y', 0});
      }
      if ((fields & 8) != 0) {
        file.writeBytes(new byte[] {'n', 0});
      }
      if ((fields & 16) != 0) {
        file.writeBytes(new byte[] {'c', 'c', 0});
      }
      if ((fields & 2) != 0) {
        CRC32 ofHeader = new CRC32();
        ofHeader.update(file.toByteArray(), start, file.size() - start);
        file.write((int) ofHeader.getValue());
        file.write((int) (ofHeader.getValue() >> 8));
      }
      Deflater deflater = new Deflater(flags % 10, true);
      deflater.setInput(content);
      deflater.finish();
      byte[] packed = new byte[content.length + 64 + content.length / 1000];
      while (!deflater.finished()) {
        file.write(packed, 0, deflater.deflate(packed));
      }
      deflater.end();
      CRC32 crc = new CRC32();
      crc.update(content);
      number(crc.getValue());
      number(content.length);
    }

    private void number(long value) {
      for (int i = 0; i < 4; i++) {
        file.write((int) (value >> 8 * i));
      }
    }
  }
}
