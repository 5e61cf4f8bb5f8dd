import { randomBytes } from 'node:crypto'
import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { processSiteIcon } from '../../platform/media/images/process-site-icon.ts'
import type { MediaSource } from '../../platform/media/identify-media.ts'
import { putAll } from '../../platform/storage/put-all.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

/** The keys of the PNG files of the icon of the server, with the sides of `SITE_ICON_SIDES`. */
export interface SiteIcon {
  small: string
  medium: string
  large: string
}

const COLUMNS = 'small_file_key as small, medium_file_key as medium, large_file_key as large'
const find = statement<{ row: SiteIcon }>(`select ${COLUMNS} from instance_icons`)
const lock = statement<{ row: SiteIcon }>(`select ${COLUMNS} from instance_icons for no key update`)
const upsert = statement<{ params: SiteIcon & { now: Date } }>(
  `insert into instance_icons (small_file_key, medium_file_key, large_file_key, updated_at)
   values ($small, $medium, $large, $now)
   on conflict (id) do update set small_file_key = excluded.small_file_key,
     medium_file_key = excluded.medium_file_key, large_file_key = excluded.large_file_key,
     updated_at = excluded.updated_at`,
)
const remove = statement<{ row: SiteIcon }>(`delete from instance_icons returning ${COLUMNS}`)

/** Returns the icon of the server; null if the staff have chosen none. */
export async function findSiteIcon(read: Pick<Read, 'db'>): Promise<SiteIcon | null> {
  return (await find(read.db))[0] ?? null
}

/**
 * Stores an icon of the server, in place of the last one.
 * @throws ValidationError without an image; UnsupportedMediaError; UnprocessableMediaError; StorageFullError
 */
export async function saveSiteIcon(ctx: Ctx, { by, image }: { by: Actor; image: MediaSource | null }): Promise<void> {
  if (!image) throw new ValidationError([{ attribute: 'image', code: 'ERR_BLANK', text: "can't be blank" }])
  const icon = await storeFiles(ctx, image)
  try {
    await ctx.write(async (tx) => {
      const [before] = await lock(tx.db)
      await upsert(tx.db, { ...icon, now: tx.now })
      if (before) tx.emit('media.removed', { mediaKeys: Object.values(before) })
      await record(tx, { by, action: 'update' })
    })
  } catch (err) {
    await ctx.storage.remove({ keys: Object.values(icon) }).catch(() => {})
    throw err
  }
}

/** Removes the icon of the server, so that it has Linnet's; without one, nothing changes. */
export async function removeSiteIcon(tx: Tx, { by }: { by: Actor }): Promise<void> {
  const [removed] = await remove(tx.db)
  if (!removed) return
  tx.emit('media.removed', { mediaKeys: Object.values(removed) })
  await record(tx, { by, action: 'reset' })
}

async function record(tx: Tx, { by, action }: { by: Actor; action: 'update' | 'reset' }): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'setting', targetId: null, label: 'icon', details: {} })
}

async function storeFiles(ctx: Pick<Ctx, 'storage'>, source: MediaSource): Promise<SiteIcon> {
  const files = await processSiteIcon(source)
  const name = randomBytes(16).toString('hex')
  const keyOf = (size: keyof SiteIcon) => `site/${name.slice(0, 2)}/${name}-${size}.png`
  const icon: SiteIcon = { small: keyOf('small'), medium: keyOf('medium'), large: keyOf('large') }
  await putAll(
    ctx.storage,
    (['small', 'medium', 'large'] as const).map((size) => ({
      key: icon[size],
      body: files[size].buffer,
      contentType: files[size].contentType,
    })),
  )
  return icon
}
