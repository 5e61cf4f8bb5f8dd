import type { Read } from '../../../domain/context.ts'
import { loadReblogs } from './load-notes.ts'
import { writeAnnounce, writeCreate } from './write-activities.ts'
import type { Activity } from './write-activities.ts'
import { writeNotes } from './write-notes.ts'

/**
 * Returns the activities that created local statuses, by status id: the Create of a note, the Announce of a reblog.
 * Local-only statuses have none. Callers decide who can see them. Runs a few statements for any number of statuses.
 */
export async function writeStatusActivities(
  read: Read,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<Map<string, Activity>> {
  const reblogs = await loadReblogs(read, { ids })
  const embedded = reblogs.filter((reblog) => reblog.embedsOriginal).map((reblog) => reblog.original_id)
  const notes = await writeNotes(read, { ids: [...new Set([...ids, ...embedded])], now })
  const activities = new Map<string, Activity>()
  for (const id of ids) {
    const note = notes.get(id)
    if (note) activities.set(id, writeCreate(read.config, { note }))
  }
  for (const reblog of reblogs) {
    const note = reblog.embedsOriginal ? notes.get(reblog.original_id) : undefined
    // Without the embedded note, no recipient could find out what is reblogged.
    if (reblog.embedsOriginal && !note) continue
    activities.set(reblog.id, writeAnnounce(read.config, { reblog, ...(note && { note }) }))
  }
  return activities
}
