import { NotFoundError, UnprocessableError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { MediaSource } from '../../platform/media/identify-media.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { cleanCategory, withEmojiImage } from './save-emoji.ts'
import type { EmojiFiles } from './save-emoji.ts'

/** Undefined: unchanged. */
export interface EmojiChanges {
  category?: string | null | undefined
  listed?: boolean | undefined
  disabled?: boolean | undefined
}

interface EmojiRow {
  shortcode: string
  domain: string | null
  category: string | null
  visible_in_picker: boolean
  disabled: boolean
  image_key: string | null
  static_image_key: string | null
}

const SELECT = `select shortcode, domain, category, visible_in_picker, disabled, image_key, static_image_key
  from custom_emojis where id = $id`
const find = statement<{ params: { id: string }; row: EmojiRow }>(SELECT)
const lock = statement<{ params: { id: string }; row: EmojiRow }>(`${SELECT} for no key update`)
const update = statement<{
  params: { id: string; category: string | null; listed: boolean; disabled: boolean }
}>(`update custom_emojis set category = $category, visible_in_picker = $listed, disabled = $disabled where id = $id`)
// Other servers fetch the image again because of the new time.
const setImage = statement<{ params: { id: string; imageKey: string; staticImageKey: string; now: Date } }>(
  `update custom_emojis set image_key = $imageKey, static_image_key = $staticImageKey, updated_at = $now where id = $id`,
)
const rename = statement<{ params: { from: string; to: string }; row: { id: string } }>(
  `update custom_emojis set category = $to where category = $from and domain is null returning id`,
)

/**
 * Changes a custom emoji. A disabled one is shown as its shortcode. Of a remote one, only `disabled` can be changed.
 * @throws NotFoundError; ValidationError for a category that is too long; UnprocessableError for other changes of a remote
 *   one; UnsupportedMediaError; UnprocessableMediaError; StorageFullError
 */
export async function updateEmoji(
  ctx: Ctx,
  { id, by, changes, image }: { id: string; by: Actor; changes: EmojiChanges; image: MediaSource | null },
): Promise<void> {
  if (!image) return ctx.write((tx) => applyChanges(tx, { id, by, changes, files: null }))
  checkChanges(await findEmoji(ctx, id), { changes, hasImage: true })
  await withEmojiImage(ctx, image, async (tx, files) => {
    await applyChanges(tx, { id, by, changes, files })
    return { outcome: 'replaced' }
  })
}

/**
 * Renames a category of the local custom emojis, or adds its emojis to another one.
 * @throws NotFoundError; ValidationError
 */
export async function renameEmojiCategory(
  tx: Tx,
  { by, ...names }: { by: Actor; from: string; to: string },
): Promise<void> {
  const [from, to] = [cleanCategory(names.from, 'name'), cleanCategory(names.to, 'new_name')]
  if (to === null) throw new ValidationError([{ attribute: 'new_name', code: 'ERR_BLANK', text: "can't be blank" }])
  const renamed = from === null ? [] : await rename(tx.db, { from, to })
  if (renamed.length === 0) throw new NotFoundError()
  await recordAuditEntry(tx, {
    by,
    action: 'rename',
    targetType: 'custom_emoji_category',
    targetId: null,
    label: to,
    details: { old: from, emojis: renamed.length },
  })
}

async function applyChanges(
  tx: Tx,
  { id, by, changes, files }: { id: string; by: Actor; changes: EmojiChanges; files: EmojiFiles | null },
): Promise<void> {
  const [before] = isId(id) ? await lock(tx.db, { id }) : []
  if (!before) throw new NotFoundError()
  checkChanges(before, { changes, hasImage: files !== null })
  const category = changes.category === undefined ? before.category : cleanCategory(changes.category)
  const { listed = before.visible_in_picker, disabled = before.disabled } = changes
  const isSame = category === before.category && listed === before.visible_in_picker && disabled === before.disabled
  if (isSame && !files) return
  await update(tx.db, { id, category, listed, disabled })
  if (files) {
    await setImage(tx.db, { id, imageKey: files.image_key, staticImageKey: files.static_image_key, now: tx.now })
    const mediaKeys = [...new Set([before.image_key, before.static_image_key])].filter((key) => key !== null)
    tx.emit('media.removed', { mediaKeys })
  }
  await recordAuditEntry(tx, {
    by,
    action: 'update',
    targetType: 'custom_emoji',
    targetId: id,
    label: `:${before.shortcode}:`,
    details: {
      ...(before.domain !== null && { domain: before.domain }),
      ...(files && { image: true }),
      category,
      visible_in_picker: listed,
      disabled,
    },
  })
}

function checkChanges({ domain }: EmojiRow, { changes, hasImage }: { changes: EmojiChanges; hasImage: boolean }): void {
  if (domain !== null && (hasImage || changes.category !== undefined || changes.listed !== undefined))
    throw new UnprocessableError('A remote emoji can only be disabled, enabled, copied or deleted')
}

async function findEmoji(read: Pick<Read, 'db'>, id: string): Promise<EmojiRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}
