import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

interface RemovedEmoji {
  id: string
  shortcode: string
  domain: string | null
  image_key: string | null
  static_image_key: string | null
}

const RETURNED = 'id, shortcode, domain, image_key, static_image_key'

const removeLocal = statement<{ params: { shortcode: string }; row: RemovedEmoji }>(
  `delete from custom_emojis where shortcode = $shortcode and coalesce(domain, '') = '' returning ${RETURNED}`,
)
const remove = statement<{ params: { id: string }; row: RemovedEmoji }>(
  `delete from custom_emojis where id = $id returning ${RETURNED}`,
)

/** Deletes a local custom emoji. Texts that use it show its shortcode again. @throws NotFoundError */
export async function removeEmoji(tx: Tx, { by, shortcode }: { by: Actor; shortcode: string }): Promise<void> {
  const [removed] = await removeLocal(tx.db, { shortcode })
  if (!removed) throw new NotFoundError(`There is no emoji :${shortcode}:`)
  await recordRemoval(tx, { by, removed })
}

/**
 * Deletes a custom emoji. Texts that use it show its shortcode again; a remote one is recorded again when a received
 * text uses it. @throws NotFoundError
 */
export async function removeEmojiById(tx: Tx, { by, id }: { by: Actor; id: string }): Promise<void> {
  const [removed] = isId(id) ? await remove(tx.db, { id }) : []
  if (!removed) throw new NotFoundError()
  await recordRemoval(tx, { by, removed })
}

async function recordRemoval(tx: Tx, { by, removed }: { by: Actor; removed: RemovedEmoji }): Promise<void> {
  const { id, shortcode, domain } = removed
  await recordAuditEntry(tx, {
    by,
    action: 'delete',
    targetType: 'custom_emoji',
    targetId: id,
    label: `:${shortcode}:`,
    details: domain === null ? {} : { domain },
  })
  const mediaKeys = [...new Set([removed.image_key, removed.static_image_key])].filter((key) => key !== null)
  if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
}
