import type { Read } from '../../domain/context.ts'
import { loadBoosts } from './load-notes.ts'
import { writeAnnounce, writeCreate } from './write-activities.ts'
import type { Activity } from './write-activities.ts'
import { writeNotes } from './write-notes.ts'

/**
 * How statuses of here came into the world, by their ids: a note by Create, a boost by Announce. What is not for other
 * servers has none. Who may read them is asked elsewhere. A few statements for any number of them.
 */
export async function writeStatusActivities(
  read: Read,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<Map<string, Activity>> {
  const boosts = await loadBoosts(read, { ids })
  const embedded = boosts.filter((boost) => boost.embeds).map((boost) => boost.original_id)
  const notes = await writeNotes(read, { ids: [...new Set([...ids, ...embedded])], now })
  const activities = new Map<string, Activity>()
  for (const id of ids) {
    const note = notes.get(id)
    if (note) activities.set(id, writeCreate(read.config, { note }))
  }
  for (const boost of boosts) {
    const note = boost.embeds ? notes.get(boost.original_id) : undefined
    // Without the note nobody could know what it is about.
    if (boost.embeds && !note) continue
    activities.set(boost.id, writeAnnounce(read.config, { boost, ...(note && { note }) }))
  }
  return activities
}
