import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { parseTagName } from './tag-name.ts'

interface TagRow {
  name: string
  display_name: string
  usable: boolean
  listable: boolean
  trendable: boolean | null
}

const lock = statement<{ params: { id: string }; row: TagRow }>(
  `select name, display_name, usable, listable, trendable from tags where id = $id for no key update`,
)
const update = statement<{
  params: {
    id: string
    displayName: string
    usable: boolean
    listable: boolean
    trendable: boolean | null
    now: Date
  }
}>(
  `update tags set display_name = $displayName, usable = $usable, listable = $listable, trendable = $trendable,
     reviewed_at = $now where id = $id`,
)

/** What the staff can change; undefined fields stay. */
export interface TagChanges {
  /** The same name in other upper and lower case or with other accents, without `#`. */
  displayName?: string | undefined
  usable?: boolean | undefined
  listable?: boolean | undefined
  trendable?: boolean | undefined
}

/**
 * Changes a hashtag, which counts as a review (Mastodon: PUT /api/v1/admin/tags/:id).
 * @throws NotFoundError; ValidationError for another name
 */
export async function updateTag(
  tx: Tx,
  { id, by, changes }: { id: string; by: Actor; changes: TagChanges },
): Promise<void> {
  const [tag] = await lock(tx.db, { id })
  if (!tag) throw new NotFoundError()
  const { displayName, usable, listable, trendable } = changes
  if (displayName !== undefined && parseTagName(displayName)?.name !== tag.name) {
    const text = 'does not match the previous name'
    throw new ValidationError([{ attribute: 'display_name', code: 'ERR_INVALID', text }])
  }
  await update(tx.db, {
    id,
    displayName: displayName ?? tag.display_name,
    usable: usable ?? tag.usable,
    listable: listable ?? tag.listable,
    trendable: trendable ?? tag.trendable,
    now: tx.now,
  })
  await recordAuditEntry(tx, {
    by,
    action: 'update',
    targetType: 'tag',
    targetId: id,
    label: tag.name,
    details: { ...changes },
  })
}
