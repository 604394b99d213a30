package dev.constat.pipelines.run;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import dev.constat.pipelines.archive.ArchiveFile;
import dev.constat.rules.envelope.Input;
import dev.constat.transforms.outputs.FileNames;
import java.util.Comparator;
import java.util.List;

/** Names of files as they were listed. */
final class ListedNames implements FileNames {

  private static final long serialVersionUID = 1L;

  private final ImmutableMap<Input, ImmutableList<String>> names;

  ListedNames(List<ArchiveFile> files) {
    ImmutableListMultimap.Builder<Input, String> listed = ImmutableListMultimap.builder();
    files.stream()
        .sorted(Comparator.comparingInt(ArchiveFile::rank))
        .forEach(file -> listed.put(file.input(), file.name()));
    ImmutableMap.Builder<Input, ImmutableList<String>> byInput = ImmutableMap.builder();
    listed
        .build()
        .asMap()
        .forEach((input, ofInput) -> byInput.put(input, ImmutableList.copyOf(ofInput)));
    names = byInput.buildOrThrow();
  }

  @Override
  public String name(Input input, int file) {
    return names.get(input).get(file);
  }
}
