import { randomBytes } from 'node:crypto'
import { ValidationError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { isEmojiShortcode } from '../../lib/text/entities/emoji-shortcodes.ts'
import { processEmoji } from '../../platform/media/images/process-emoji.ts'
import type { MediaSource } from '../../platform/media/identify-media.ts'
import { statement } from '../../platform/db/statement.ts'
import { putAll } from '../../platform/storage/put-all.ts'
import type { Ctx, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

const MAX_CATEGORY_CHARACTERS = 100

export interface EmojiFiles {
  image_key: string
  static_image_key: string
}

const find = statement<{ params: { shortcode: string }; row: { id: string } }>(
  `select id from custom_emojis where shortcode = $shortcode and coalesce(domain, '') = ''`,
)
// No row exists yet that a concurrent transaction with the same new shortcode could lock.
const lockShortcode = statement<{ params: { shortcode: string } }>(
  `select pg_advisory_xact_lock(hashtextextended('emoji ' || $shortcode, 0))`,
)
const lock = statement<{
  params: { shortcode: string }
  row: EmojiFiles & { id: string }
  notNull: 'image_key' | 'static_image_key'
}>(
  `select id, image_key, static_image_key from custom_emojis
   where shortcode = $shortcode and coalesce(domain, '') = '' for no key update`,
)
const upsert = statement<{
  params: {
    shortcode: string
    imageKey: string
    staticImageKey: string
    category: string | null
    listed: boolean
    replaces: boolean
    now: Date
  }
  row: { id: string }
}>(
  `insert into custom_emojis (shortcode, image_key, static_image_key, category, visible_in_picker, updated_at, created_at)
   values ($shortcode, $imageKey, $staticImageKey, $category, $listed, $now, $now)
   on conflict (shortcode, coalesce(domain, '')) do update
     set image_key = excluded.image_key, static_image_key = excluded.static_image_key, category = excluded.category,
       visible_in_picker = excluded.visible_in_picker, disabled = false, updated_at = excluded.updated_at
     where $replaces returning id`,
)

/** A new local custom emoji. */
interface NewEmoji {
  /** Without the colons. */
  shortcode: string
  image: MediaSource
  /** The heading in the emoji picker; null: none. */
  category: string | null
  /** Whether clients offer it. */
  listed: boolean
}

/** What became of an image: `unchanged` if there is an emoji with its shortcode, which it did not replace. */
type SavedEmoji = { outcome: 'added' | 'replaced'; id: string } | { outcome: 'unchanged' }

/** A new local custom emoji, the member of the staff who saves it, and which action the audit log records. */
interface EmojiToSave extends NewEmoji {
  by: Actor
  /** Replaces an emoji with the same shortcode; otherwise, that stays. */
  replaces: boolean
  /** The domain from which it is copied. */
  copiedFrom?: string
}

/**
 * Creates a local custom emoji from an image.
 * @throws ValidationError for an invalid shortcode and for a category that is too long; UnsupportedMediaError;
 *   UnprocessableMediaError; StorageFullError
 */
export async function saveEmoji(ctx: Ctx, emoji: EmojiToSave): Promise<SavedEmoji> {
  const { shortcode } = emoji
  if (!isEmojiShortcode(shortcode)) {
    const text = 'must have 2 to 128 letters a–z, digits and underscores'
    throw new ValidationError([{ attribute: 'shortcode', code: 'ERR_INVALID', text }])
  }
  const category = cleanCategory(emoji.category)
  if (!emoji.replaces && (await find(ctx.db, { shortcode })).length > 0) return { outcome: 'unchanged' }
  return withEmojiImage(ctx, emoji.image, (tx, files) => upsertEmoji(tx, { emoji: { ...emoji, category }, files }))
}

/**
 * Stores an image, and passes its keys to an operation. Deletes it again if the operation fails or does not use it.
 * @throws UnsupportedMediaError; UnprocessableMediaError; StorageFullError
 */
export async function withEmojiImage<Result extends { outcome: SavedEmoji['outcome'] }>(
  ctx: Ctx,
  source: MediaSource,
  operation: (tx: Tx, files: EmojiFiles) => Promise<Result>,
): Promise<Result> {
  const files = await storeEmojiImage(ctx, { source })
  const discard = () => ctx.storage.remove({ keys: [files.image_key, files.static_image_key] }).catch(() => {})
  try {
    const result = await ctx.write((tx) => operation(tx, files))
    if (result.outcome === 'unchanged') await discard()
    return result
  } catch (err) {
    await discard()
    throw err
  }
}

/**
 * Returns a category as it is stored; null: none. `attribute`: the name of the parameter.
 * @throws ValidationError if it is too long
 */
export function cleanCategory(input: string | null, attribute = 'category'): string | null {
  const category = input === null ? null : cleanText(input).replace(/\s+/g, ' ').trim() || null
  if (category !== null && category.length > MAX_CATEGORY_CHARACTERS) {
    const text = `is too long (maximum is ${MAX_CATEGORY_CHARACTERS} characters)`
    throw new ValidationError([{ attribute, code: 'ERR_TOO_LONG', text }])
  }
  return category
}

async function upsertEmoji(
  tx: Tx,
  { emoji, files }: { emoji: Omit<EmojiToSave, 'image'>; files: EmojiFiles },
): Promise<SavedEmoji> {
  const { by, shortcode, category, listed, replaces, copiedFrom } = emoji
  await lockShortcode(tx.db, { shortcode })
  const [before] = await lock(tx.db, { shortcode })
  const { image_key: imageKey, static_image_key: staticImageKey } = files
  const values = { shortcode, imageKey, staticImageKey, category, listed, replaces, now: tx.now }
  const [saved] = await upsert(tx.db, values)
  // Another request has created an emoji with this shortcode since the check.
  if (!saved) return { outcome: 'unchanged' }
  await recordAuditEntry(tx, {
    by,
    action: copiedFrom !== undefined ? 'copy' : before ? 'update' : 'create',
    targetType: 'custom_emoji',
    targetId: saved.id,
    label: `:${shortcode}:`,
    details: { category, visible_in_picker: listed, ...(copiedFrom !== undefined && { domain: copiedFrom }) },
  })
  if (!before) return { id: saved.id, outcome: 'added' }
  tx.emit('media.removed', { mediaKeys: [...new Set([before.image_key, before.static_image_key])] })
  return { id: saved.id, outcome: 'replaced' }
}

async function storeEmojiImage(ctx: Ctx, { source }: { source: MediaSource }): Promise<EmojiFiles> {
  const image = await processEmoji(source)
  const name = randomBytes(16).toString('hex')
  const folder = `emojis/${name.slice(0, 2)}/${name}`
  const key = `${folder}.${image.original.extension}`
  const staticKey = image.static ? `${folder}-static.${image.static.extension}` : key
  await putAll(ctx.storage, [
    { key, body: image.original.buffer, contentType: image.original.contentType },
    ...(image.static ? [{ key: staticKey, body: image.static.buffer, contentType: image.static.contentType }] : []),
  ])
  return { image_key: key, static_image_key: staticKey }
}
