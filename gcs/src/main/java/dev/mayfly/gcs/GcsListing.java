package dev.mayfly.gcs;

import com.google.api.gax.paging.Page;
import com.google.cloud.storage.Blob;
import com.google.cloud.storage.Storage;
import com.google.cloud.storage.Storage.BlobListOption;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One page of Mayfly's from one page of the service's. Requests more only if all names of a page
 * precede the wanted ones, as with a server that ignores startOffset.
 */
final class GcsListing {
  private final ObjectUrl prefix;
  private final String after;
  private final int size;
  private final List<ObjectInfo> objects = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private Optional<String> last = Optional.empty();
  private boolean more;

  private GcsListing(ObjectUrl prefix, String after, int size) {
    this.prefix = prefix;
    this.after = after;
    this.size = size;
  }

  static ObjectPage of(
      Storage storage, ObjectUrl prefix, String after, int size, Optional<String> payer) {
    var listing = new GcsListing(prefix, after, size);
    var options = listing.options(payer).toArray(BlobListOption[]::new);
    Page<Blob> page = storage.list(BlobMapper.bucket(prefix), options);
    listing.take(page);
    while (listing.last.isEmpty() && page.hasNextPage()) {
      page = page.getNextPage();
      listing.take(page);
    }
    return new ObjectPage(
        listing.objects, listing.unusable, listing.more ? listing.last : Optional.empty());
  }

  /** startOffset includes the name itself, so request one more object. */
  private List<BlobListOption> options(Optional<String> payer) {
    var options = new ArrayList<BlobListOption>();
    options.add(BlobListOption.prefix(prefix.name()));
    options.add(BlobListOption.fields(BlobMapper.LIST_FIELDS));
    payer.map(BlobListOption::userProject).ifPresent(options::add);
    if (after.isEmpty()) {
      options.add(BlobListOption.pageSize(size));
      return options;
    }
    options.add(BlobListOption.pageSize(Math.min(size + 1, ObjectPage.MAX_OBJECTS)));
    options.add(BlobListOption.startOffset(after));
    return options;
  }

  private void take(Page<Blob> page) {
    more = page.hasNextPage();
    for (var blob : page.getValues()) {
      var name = blob.getName();
      if (!after.isEmpty() && ObjectNames.ORDER.compare(name, after) <= 0) continue;
      if (objects.size() + unusable.size() == size) {
        more = true;
        return;
      }
      last = Optional.of(name);
      if (ObjectUrl.ifUsable(prefix.root(), name).isPresent()) objects.add(BlobMapper.info(blob));
      else unusable.add(name);
    }
  }
}
