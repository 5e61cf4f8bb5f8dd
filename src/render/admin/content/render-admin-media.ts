import type { Read } from '../../../domain/context.ts'
import { readMediaUsage } from '../../../domain/media/measure-usage.ts'
import { measureMediaCache, readCachePurge } from '../../../domain/media/remote-cache/purge-cache.ts'
import type { CachePurge } from '../../../domain/media/remote-cache/purge-cache.ts'
import type { AdminMedia } from '../../../entities/admin/content/admin-media.ts'

/** Returns the usage of the storage, and the remote media cache (Linnet: GET /api/v1/admin/media). */
export async function renderAdminMedia(read: Read): Promise<AdminMedia> {
  const cache = await measureMediaCache(read)
  const purge = await readCachePurge(read)
  const usage = await readMediaUsage(read)
  return {
    usage: usage.map(({ kind, origin, files, bytes, measuredAt }) => ({
      kind,
      origin,
      files,
      bytes,
      measured_at: measuredAt.toISOString(),
    })),
    cache_files: cache.files,
    cache_bytes: cache.bytes,
    cache_max_bytes: read.config.mediaCacheBytes,
    purge: purge && renderPurge(purge),
  }
}

function renderPurge(purge: CachePurge): NonNullable<AdminMedia['purge']> {
  return {
    days: purge.days,
    profiles: purge.profiles,
    by_domain: purge.byDomain,
    keep_interacted: purge.keepInteracted,
    running: purge.finishedAt === null,
    started_at: purge.startedAt.toISOString(),
    last_run_at: purge.ranAt?.toISOString() ?? null,
    finished_at: purge.finishedAt?.toISOString() ?? null,
    total_files: purge.totalFiles,
    examined_files: purge.examinedFiles,
    removed_files: purge.removedFiles,
    removed_bytes: purge.removedBytes,
  }
}
