import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A remote custom emoji. Its image stays on its server; clients get it through the media cache. */
export interface RemoteEmojiFacts {
  uri: string | null
  /** Without the colons. */
  shortcode: string
  imageUrl: string
  /** When its image was last changed; null: not stated, so the last recorded image wins. */
  updatedAt: Date | null
}

/**
 * The minimum age of a stated change of an image whose URL stays the same. Misskey states the present time for emojis
 * that were never changed, which must not cause another fetch for each note.
 */
const MIN_AGE_OF_CHANGE_MS = 10 * 60_000

/** The custom emojis that a remote server states for texts. */
interface EmojisOfTexts {
  domain: string
  emojis: readonly RemoteEmojiFacts[]
  texts: readonly string[]
}

interface EmojiRow {
  id: string
  domain: string
  shortcode: string
  image_remote_url: string | null
  updated_at: Date
}

const find = statement<{
  params: { domains: readonly string[]; codes: readonly string[] }
  row: EmojiRow
  notNull: 'domain'
}>(
  `select e.id, e.domain, e.shortcode, e.image_remote_url, e.updated_at
   from unnest($domains::text[], $codes::text[]) as used (domain, shortcode)
     join custom_emojis e on e.domain = used.domain and e.shortcode = used.shortcode
   order by e.domain, e.shortcode`,
)
// Ordered, so that transactions that record the same new emojis cannot deadlock. A cached file without an owner is
// evicted later, and the changed image is fetched when it is viewed.
const upsert = statement<{ params: { rows: string; now: Date; changedBefore: Date } }>(
  `with saved as (
   insert into custom_emojis (shortcode, domain, uri, image_remote_url, updated_at, created_at)
   select e.shortcode, e.domain, e.uri, e.image_url, coalesce(e.updated_at, $now), $now
   from jsonb_to_recordset($rows::jsonb)
     as e (domain text, shortcode text, uri text, image_url text, updated_at timestamptz)
   order by e.domain, e.shortcode
   on conflict (shortcode, coalesce(domain, '')) do update
     set uri = excluded.uri, image_remote_url = excluded.image_remote_url, updated_at = excluded.updated_at,
       image_key = null, static_image_key = null
     where case when custom_emojis.image_remote_url is distinct from excluded.image_remote_url
       then excluded.updated_at >= custom_emojis.updated_at
       else excluded.updated_at > custom_emojis.updated_at and excluded.updated_at < $changedBefore end
   returning id)
   update cached_files set emoji_id = null where emoji_id in (select id from saved)`,
)

/** Records those emojis of a server that the texts use, and returns their ids. */
export async function recordRemoteEmojis(tx: Tx, input: EmojisOfTexts): Promise<string[]> {
  const [ids] = await recordRemoteEmojisOfAll(tx, [input])
  return ids!
}

/**
 * Does the same for several sets of texts, and returns the ids for each of them. If all emojis are known and unchanged,
 * this takes one query.
 */
export async function recordRemoteEmojisOfAll(tx: Tx, all: readonly EmojisOfTexts[]): Promise<string[][]> {
  const used = all.map(({ domain, emojis, texts }) => usedEmojis(emojis, texts).map((emoji) => ({ ...emoji, domain })))
  const newest = new Map<string, RemoteEmojiFacts & { domain: string }>()
  for (const emoji of used.flat()) {
    const earlier = newest.get(keyOf(emoji))
    const isNewer = earlier && (emoji.updatedAt ?? tx.now) > (earlier.updatedAt ?? tx.now)
    if (!earlier || isNewer) newest.set(keyOf(emoji), emoji)
  }
  if (newest.size === 0) return all.map(() => [])
  const names = {
    domains: [...newest.values()].map(({ domain }) => domain),
    codes: [...newest.values()].map(({ shortcode }) => shortcode),
  }
  let rows = await find(tx.db, names)
  const known = new Map(rows.map((row) => [keyOf(row), row]))
  const changedBefore = new Date(tx.now.getTime() - MIN_AGE_OF_CHANGE_MS)
  const changed = [...newest.values()].filter((emoji) => {
    const row = known.get(keyOf(emoji))
    const { imageUrl, updatedAt } = emoji
    if (!row) return true
    const isOther = row.image_remote_url !== imageUrl
    if (updatedAt === null) return isOther
    // A server that moves its files states the same time with other URLs.
    return isOther ? updatedAt >= row.updated_at : updatedAt > row.updated_at && updatedAt < changedBefore
  })
  if (changed.length > 0) {
    await upsert(tx.db, { rows: JSON.stringify(changed.map(columnsOf)), now: tx.now, changedBefore })
    rows = await find(tx.db, names)
  }
  return used.map((emojis) => {
    const keys = new Set(emojis.map(keyOf))
    return rows.filter((row) => keys.has(keyOf(row))).map((row) => row.id)
  })
}

/** Returns the emojis whose shortcodes occur in the texts. */
export function usedEmojis(emojis: readonly RemoteEmojiFacts[], texts: readonly string[]): RemoteEmojiFacts[] {
  return emojis.filter(({ shortcode }) => texts.some((text) => text.includes(`:${shortcode}:`)))
}

function keyOf({ domain, shortcode }: { domain: string; shortcode: string }): string {
  return `${domain} ${shortcode}`
}

function columnsOf({ domain, shortcode, uri, imageUrl, updatedAt }: RemoteEmojiFacts & { domain: string }): object {
  return { domain, shortcode, uri, image_url: imageUrl, updated_at: updatedAt }
}
