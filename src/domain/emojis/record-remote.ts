import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A custom emoji of another server. Its picture is shown by reference. */
export interface RemoteEmojiFacts {
  uri: string | null
  /** Without the colons. */
  shortcode: string
  imageUrl: string
  /** When its picture was last changed; null: not told, so the latest that is heard counts. */
  updatedAt: Date | null
}

const find = statement<{
  params: { domain: string; codes: readonly string[] }
  row: { id: string; shortcode: string; image_remote_url: string | null; updated_at: Date }
}>(
  `select id, shortcode, image_remote_url, updated_at from custom_emojis
   where domain = $domain and shortcode = any($codes) order by shortcode`,
)
// In order, so that two who record the same new emojis never wait for each other in a circle.
const upsert = statement<{ params: { domain: string; createdAt: string; now: Date } }>(
  `insert into custom_emojis (shortcode, domain, uri, image_remote_url, updated_at, created_at)
   select e.shortcode, $domain, e.uri, e.image_url, coalesce(e.updated_at, $now), $now
   from jsonb_to_recordset($createdAt::jsonb) as e (shortcode text, uri text, image_url text, updated_at timestamptz)
   order by e.shortcode
   on conflict (shortcode, coalesce(domain, '')) do update
     set uri = excluded.uri, image_remote_url = excluded.image_remote_url, updated_at = excluded.updated_at,
       image_key = null, static_image_key = null
     where excluded.updated_at > custom_emojis.updated_at
       and custom_emojis.image_remote_url is distinct from excluded.image_remote_url`,
)

/**
 * Keeps those emojis of a server that are used in the texts, and gives their ids. Those that are known and unchanged
 * cost one look.
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
  const news = used.filter(({ shortcode, imageUrl, updatedAt }) => {
    const row = byCode.get(shortcode)
    return !row || (row.image_remote_url !== imageUrl && (updatedAt === null || updatedAt > row.updated_at))
  })
  if (news.length === 0) return known.map((row) => row.id)
  const rows = news.map(({ uri, shortcode, imageUrl, updatedAt }) => ({
    uri,
    shortcode,
    image_url: imageUrl,
    updated_at: updatedAt,
  }))
  await upsert(tx.db, { domain, createdAt: JSON.stringify(rows), now: tx.now })
  return (await find(tx.db, { domain, codes })).map((row) => row.id)
}
