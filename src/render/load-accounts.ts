import { statement } from '../platform/db/connect.ts'
import type { Read } from '../domain/context.ts'

export interface AccountFacts {
  id: string
  username: string
  domain: string | null
  uri: string
  url: string
  actor_type: string
  display_name: string
  note: string
  fields: { name: string; value: string; verified_at: string | null }[]
  avatar_key: string | null
  avatar_static_key: string | null
  avatar_remote_url: string | null
  avatar_description: string
  header_key: string | null
  header_static_key: string | null
  header_remote_url: string | null
  header_description: string
  locked: boolean
  discoverable: boolean | null
  indexable: boolean
  hide_collections: boolean | null
  show_media: boolean
  show_media_replies: boolean
  show_featured: boolean
  /** Of accounts elsewhere; null = their server does not say. */
  feature_automatic: string[] | null
  feature_manual: string[] | null
  memorial: boolean
  silenced: boolean
  suspended: boolean
  moved_to_account_id: string | null
  created_at: Date
  version: number
  role: { id: string; name: string; color: string } | null
}

const load = statement<AccountFacts>(
  `select a.id, a.username, a.domain, a.uri, a.url, a.actor_type, a.display_name, a.note, a.fields,
     a.avatar_key, a.avatar_static_key, a.avatar_remote_url, a.avatar_description,
     a.header_key, a.header_static_key, a.header_remote_url, a.header_description,
     a.locked, a.discoverable, a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured,
     a.feature_automatic, a.feature_manual, a.memorial,
     a.silenced_at is not null as silenced, a.suspended_at is not null as suspended, a.moved_to_account_id,
     a.created_at, a.version,
     case when r.highlighted then jsonb_build_object('id', r.id::text, 'name', r.name, 'color', r.color) end as role
   from accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
   where a.id = any($1::bigint[])`,
)

/** Everything that is shown of accounts and does not depend on the viewer, but the counters. */
export async function loadAccounts(read: Read, { ids }: { ids: readonly string[] }): Promise<AccountFacts[]> {
  return ids.length === 0 ? [] : load(read.db, [ids])
}
