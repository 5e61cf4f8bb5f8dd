import { lookForChanges } from '../../platform/db/changes.ts'
import type { Moment } from '../../platform/db/changes.ts'
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

/** How much memory one process may take for who is shown what. */
const KEPT_BYTES = 12 * 1024 * 1024
const ENTRY_BYTES = 260

/**
 * Who is shown what, by `viewer.status`. It rests on both statuses, their authors, and on whom the viewer follows, mutes
 * and blocks, or is blocked by. What is hidden is asked again each time: a mute may have ended.
 */
const kept = new Kept<Known>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { key, value, since }) =>
    changes.hasChanged('viewer', key.slice(0, key.indexOf('.')), since) ||
    changes.hasChanged('status', value.id, since) ||
    changes.hasChanged('account', value.author, since) ||
    (value.original !== null && changes.hasChanged('status', value.original, since)) ||
    (value.original_author !== null && changes.hasChanged('account', value.original_author, since)),
})

/** Of these statuses, in their order, those that a feed may show to the viewer. */
export async function keepShown(
  read: Read,
  { ids, viewerId, asOf }: { ids: readonly string[]; viewerId: string; asOf?: Moment | undefined },
): Promise<string[]> {
  const changes = await lookForChanges(read.db, { asOf })
  const missing = ids.filter((id) => kept.get(changes, `${viewerId}.${id}`) === undefined)
  if (missing.length === 0) return [...ids]
  const since = changes.moment
  const rows = await select(read.db, [viewerId, missing])
  for (const row of rows) kept.set(changes, `${viewerId}.${row.id}`, { value: row, since, bytes: ENTRY_BYTES })
  const asked = new Set(missing)
  const shown = new Set(rows.map((row) => row.id))
  return ids.filter((id) => !asked.has(id) || shown.has(id))
}
