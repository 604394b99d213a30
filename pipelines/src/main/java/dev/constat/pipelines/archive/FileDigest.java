package dev.constat.pipelines.archive;

import com.google.common.hash.Funnels;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;

/** The digest of a whole file, which names what a run has read. */
public final class FileDigest {

  private FileDigest() {}

  /**
   * SHA-256 in hexadecimal digits.
   *
   * @throws ArchiveChangedException if the file is not the one that was listed, before or after
   */
  public static String sha256(ArchiveFile file) throws IOException {
    file.requireUnchanged();
    Hasher hasher = Hashing.sha256().newHasher();
    try (InputStream in = Files.newInputStream(file.path())) {
      in.transferTo(Funnels.asOutputStream(hasher));
    } catch (IOException e) {
      file.requireUnchanged();
      throw ArchiveUnreadableException.of(file.name(), e);
    }
    file.requireUnchanged();
    return hasher.hash().toString();
  }
}
