import { lookForChanges } from '../../platform/db/changes.ts'
import type { Changes, Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import { Kept } from '../../platform/db/kept.ts'
import type { Read } from '../context.ts'
import { visibleTo } from './visibility.ts'

/** How much memory one process may take for each such question, and what it remembers of one viewer at most. */
const KEPT_BYTES = 12 * 1024 * 1024
const ENTRY_BYTES = 240
const MAX_ENTRIES = 2_000

/** A status that a viewer may see: whose it is, and whose what it boosts. */
interface Known {
  id: string
  author: string
  original: string | null
  original_author: string | null
}

interface Entry {
  known: Known
  since: Moment
}

interface Asked {
  ids: readonly string[]
  /** null = somebody unknown. */
  viewerId: string | null
  /** When the viewer's request looked for changes; without it, it is looked anew. */
  asOf?: Moment | undefined
}

function hasChanged(changes: Changes, { known, since }: Entry): boolean {
  const { id, author, original, original_author: originalAuthor } = known
  return (
    changes.hasChanged('status', id, since) ||
    changes.hasChanged('account', author, since) ||
    (original !== null && changes.hasChanged('status', original, since)) ||
    (originalAuthor !== null && changes.hasChanged('account', originalAuthor, since))
  )
}

/**
 * Makes a question of which statuses a viewer gets, those that they may see and that fit `condition`, SQL over the alias
 * `s` of `statuses` with the viewer as $1. It may rest on both statuses and their authors, and on whom the viewer follows,
 * mutes and blocks, or is blocked by. Only who gets something is kept: hiding may end by the clock.
 */
export function askForVisible(condition = 'true'): (read: Pick<Read, 'db'>, asked: Asked) => Promise<string[]> {
  const select = statement<Known>(
    `select s.id, s.account_id as author, original.id as original, original.account_id as original_author
     from statuses s left join statuses original on original.id = s.reblog_of_id
     where s.id = any($2::bigint[]) and ${visibleTo('$1')} and ${condition}`,
  )
  // By viewer, and by status.
  const kept = new Kept<Map<string, Entry>>({
    maxBytes: KEPT_BYTES,
    hasChanged: (changes, { key, since }) => changes.hasChanged('viewer', key, since),
  })
  return async (read, { ids, viewerId, asOf }) => {
    if (ids.length === 0) return []
    const changes = await lookForChanges(read.db, { asOf })
    const since = changes.moment
    const entries = kept.get(changes, viewerId ?? '') ?? new Map<string, Entry>()
    const missing = ids.filter((id) => {
      const entry = entries.get(id)
      return entry === undefined || hasChanged(changes, entry)
    })
    if (missing.length === 0) return [...ids]
    if (entries.size > MAX_ENTRIES) entries.clear()
    const shown = new Set<string>()
    for (const known of await select(read.db, [viewerId, missing])) {
      shown.add(known.id)
      entries.set(known.id, { known, since })
    }
    kept.set(changes, viewerId ?? '', { value: entries, since, bytes: entries.size * ENTRY_BYTES })
    const asked = new Set(missing)
    return ids.filter((id) => !asked.has(id) || shown.has(id))
  }
}

/** Of these statuses, in their order, those that the viewer may see. */
export const keepVisible = askForVisible()
