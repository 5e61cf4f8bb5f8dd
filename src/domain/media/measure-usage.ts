import type { Ctx, Read } from '../context.ts'
import { readPrefixedSettings, writeSetting } from '../core/settings-store.ts'
import { FOLDER_NAMES, STORED_FOLDERS } from './stored-files.ts'
import type { StoredFolder } from './stored-files.ts'

/** A listing of a large storage takes minutes and may cost money, so folders are measured once a day. */
const MEASURE_INTERVAL_MS = 24 * 3_600_000

// The colon excludes these from the cached settings.
const PREFIX = 'media_usage:'

interface Measurement {
  files: number
  bytes: number
  /** Milliseconds since 1970. */
  measuredAt: number
}

/** The files of a folder of the storage. */
export interface FolderUsage {
  kind: (typeof STORED_FOLDERS)[StoredFolder]['kind']
  origin: 'local' | 'remote'
  about: string
  files: number
  bytes: number
  measuredAt: Date
}

/** Returns the last measurement of each folder; folders that were not measured yet are absent. */
export async function readMediaUsage(read: Pick<Read, 'db'>): Promise<FolderUsage[]> {
  const measurements = await readPrefixedSettings<Measurement>(read, { prefix: PREFIX })
  return FOLDER_NAMES.flatMap((folder) => {
    const measurement = measurements.get(folder)
    return measurement === undefined ? [] : [usageOf(folder, measurement)]
  })
}

/** Lists the files of a folder, and stores and returns their number and size. */
export async function measureFolder(ctx: Ctx, { folder }: { folder: StoredFolder }): Promise<FolderUsage> {
  const measurement: Measurement = { files: 0, bytes: 0, measuredAt: ctx.now().getTime() }
  for await (const { size } of ctx.storage.list({ folder })) {
    measurement.files += 1
    measurement.bytes += size
  }
  await ctx.write((tx) => writeSetting(tx, { name: PREFIX + folder, value: measurement }))
  return usageOf(folder, measurement)
}

/** Effect: measures the folders that were not measured for a day. A run that was interrupted continues with the others. */
export async function measureMediaUsage(ctx: Ctx): Promise<void> {
  const measurements = await readPrefixedSettings<Measurement>(ctx, { prefix: PREFIX })
  const now = ctx.now().getTime()
  for (const folder of FOLDER_NAMES) {
    // Also negative, after a clock that was wrong has been set back.
    const age = now - (measurements.get(folder)?.measuredAt ?? 0)
    if (Math.abs(age) >= MEASURE_INTERVAL_MS) await measureFolder(ctx, { folder })
  }
}

function usageOf(folder: StoredFolder, { files, bytes, measuredAt }: Measurement): FolderUsage {
  const { kind, about, local } = STORED_FOLDERS[folder]
  return { kind, origin: local ? 'local' : 'remote', about, files, bytes, measuredAt: new Date(measuredAt) }
}
