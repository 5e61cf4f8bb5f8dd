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

const find = statement<{
  params: { domain: string; codes: readonly string[] }
  row: { id: string; shortcode: string; image_remote_url: string | null; updated_at: Date }
}>(
  `select id, shortcode, image_remote_url, updated_at from custom_emojis
   where domain = $domain and shortcode = any($codes) order by shortcode`,
)
// Ordered, so that transactions that record the same new emojis cannot deadlock.
const upsert = statement<{ params: { domain: string; rows: string; now: Date } }>(
  `insert into custom_emojis (shortcode, domain, uri, image_remote_url, updated_at, created_at)
   select e.shortcode, $domain, e.uri, e.image_url, coalesce(e.updated_at, $now), $now
   from jsonb_to_recordset($rows::jsonb) as e (shortcode text, uri text, image_url text, updated_at timestamptz)
   order by e.shortcode
   on conflict (shortcode, coalesce(domain, '')) do update
     set uri = excluded.uri, image_remote_url = excluded.image_remote_url, updated_at = excluded.updated_at,
       image_key = null, static_image_key = null
     where excluded.updated_at > custom_emojis.updated_at
       and custom_emojis.image_remote_url is distinct from excluded.image_remote_url`,
)

/**
 * Records those emojis of a server that the texts use, and returns their ids. If all of them are known and unchanged,
 * this takes one query.
 */
export async function recordRemoteEmojis(
  tx: Tx,
  { domain, emojis, texts }: { domain: string; emojis: readonly RemoteEmojiFacts[]; texts: readonly string[] },
): Promise<string[]> {
  const used = emojis.filter(({ shortcode }) => texts.some((text) => text.includes(`:${shortcode}:`)))
  if (used.length === 0) return []
  const codes = used.map(({ shortcode }) => shortcode)
  const known = await find(tx.db, { domain, codes })
  const byCode = new Map(known.map((row) => [row.shortcode, row]))
  const changed = used.filter(({ shortcode, imageUrl, updatedAt }) => {
    const row = byCode.get(shortcode)
    return !row || (row.image_remote_url !== imageUrl && (updatedAt === null || updatedAt > row.updated_at))
  })
  if (changed.length === 0) return known.map((row) => row.id)
  const rows = changed.map(({ uri, shortcode, imageUrl, updatedAt }) => ({
    uri,
    shortcode,
    image_url: imageUrl,
    updated_at: updatedAt,
  }))
  await upsert(tx.db, { domain, rows: JSON.stringify(rows), now: tx.now })
  return (await find(tx.db, { domain, codes })).map((row) => row.id)
}
