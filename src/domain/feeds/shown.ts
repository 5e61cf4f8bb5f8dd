import { lookForChanges } from '../../platform/db/changes.ts'
import type { Changes, Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import { Kept } from '../../platform/db/kept.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import { visibleTo } from '../statuses/visibility.ts'

/** Left out of a person's feed: those whom they block or mute, or whose domain they block, as author or as the one who is boosted. */
export function notSilencedBy(viewer: string): string {
  return `not exists (
    select from (values (s.account_id), ((select o.account_id from statuses o where o.id = s.reblog_of_id))) who (id)
    where who.id <> ${viewer}::bigint and (
      exists (select from blocks b where b.account_id = ${viewer}::bigint and b.target_account_id = who.id)
      or exists (select from mutes m where m.account_id = ${viewer}::bigint and m.target_account_id = who.id
        and (m.expires_at is null or m.expires_at > now()))
      or ${blocksDomainOfId(viewer, 'who.id')}))`
}

/** A status that a person may see and has silenced nobody of: whose it is, and whose what it boosts. */
interface Known {
  id: string
  author: string
  original: string | null
  original_author: string | null
}

const select = statement<Known>(
  `select s.id, s.account_id as author, original.id as original, original.account_id as original_author
   from statuses s left join statuses original on original.id = s.reblog_of_id
   where s.id = any($2::bigint[]) and ${visibleTo('$1')} and ${notSilencedBy('$1')}`,
)

/** How much memory one process may take for who is shown what, and what it remembers of one person at most. */
const KEPT_BYTES = 12 * 1024 * 1024
const ENTRY_BYTES = 240
const MAX_ENTRIES = 2_000

interface Entry {
  known: Known
  since: Moment
}

/** Who is shown what: by viewer, and by status. Of a viewer it rests on whom they follow, mute and block, or are blocked by. */
const kept = new Kept<Map<string, Entry>>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { key, since }) => changes.hasChanged('viewer', key, since),
})

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
 * Of these statuses, in their order, those that a feed may show to the viewer. What is hidden is asked again each time: a
 * mute may have ended.
 */
export async function keepShown(
  read: Read,
  { ids, viewerId, asOf }: { ids: readonly string[]; viewerId: string; asOf?: Moment | undefined },
): Promise<string[]> {
  const changes = await lookForChanges(read.db, { asOf })
  const since = changes.moment
  const entries = kept.get(changes, viewerId) ?? new Map<string, Entry>()
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
  kept.set(changes, viewerId, { value: entries, since, bytes: entries.size * ENTRY_BYTES })
  const asked = new Set(missing)
  return ids.filter((id) => !asked.has(id) || shown.has(id))
}
