import type { Read } from '../../domain/context.ts'
import type { AccountProfile } from '../../entities/accounts/account.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import { formatField, formatNote } from '../../lib/html/format-status.ts'
import type { ProfileSource } from '../../lib/html/format-status.ts'
import { displayDomain } from '../../lib/usernames.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { fileUrl } from '../media/render-media.ts'
import { proxiedProfileImage } from '../media/proxied-url.ts'

/** The columns of an account that change only with its version. */
export interface AccountRow {
  id: string
  username: string
  /** null for local accounts. */
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
  /** The policy of a remote account; null if its server does not publish it. */
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

/** The columns of an `AccountRow`, from `ACCOUNT_TABLES`. */
export const ACCOUNT_COLUMNS = `a.id, a.username, a.domain, a.uri, a.url, a.actor_type, a.display_name, a.note, a.fields,
     a.avatar_key, a.avatar_static_key, a.avatar_remote_url, a.avatar_description,
     a.header_key, a.header_static_key, a.header_remote_url, a.header_description,
     a.locked, a.discoverable, a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured,
     a.feature_automatic, a.feature_manual, a.memorial,
     a.silenced_at is not null as silenced, a.suspended_at is not null as suspended, a.moved_to_account_id,
     a.created_at, a.version,
     case when r.highlighted then jsonb_build_object('id', r.id::text, 'name', r.name, 'color', r.color) end as role`

export const ACCOUNT_TABLES =
  'accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id'

const select = statement<{ params: { ids: readonly string[] }; row: AccountRow }>(
  `select ${ACCOUNT_COLUMNS} from ${ACCOUNT_TABLES} where a.id = any($ids::bigint[])`,
)

export async function loadAccounts(read: Read, { ids }: { ids: readonly string[] }): Promise<AccountRow[]> {
  return ids.length === 0 ? [] : select(read.db, { ids })
}

/** Returns the fields that change only with the version. Of a suspended account, only the names are included. */
export function accountProfile(config: Config, row: AccountRow): Complete<AccountProfile> & AccountProfile {
  const isLocal = row.domain === null
  const isShown = !row.suspended
  const imageUrl = (kind: 'avatar' | 'header', key: string | null, still: boolean) => {
    const remoteUrl = kind === 'avatar' ? row.avatar_remote_url : row.header_remote_url
    const url = key ? fileUrl(config, key) : proxiedProfileImage(config, { id: row.id, kind, still, remoteUrl })
    return (isShown && url) || `${config.origin}/${kind}s/original/missing.png`
  }
  return {
    id: row.id,
    username: row.username,
    acct: isLocal ? row.username : `${row.username}@${displayDomain(row.domain!)}`,
    url: row.url,
    uri: row.uri,
    display_name: isShown ? row.display_name : '',
    note: !isShown ? '' : isLocal ? formatNote(formatSource(config, row.note)) : row.note,
    avatar: imageUrl('avatar', row.avatar_key, false),
    avatar_static: imageUrl('avatar', row.avatar_static_key ?? row.avatar_key, true),
    avatar_description: isShown ? row.avatar_description : '',
    header: imageUrl('header', row.header_key, false),
    header_static: imageUrl('header', row.header_static_key ?? row.header_key, true),
    header_description: isShown ? row.header_description : '',
    locked: isShown && row.locked,
    bot: isShown && (row.actor_type === 'Service' || row.actor_type === 'Application'),
    group: row.actor_type === 'Group',
    discoverable: isShown ? row.discoverable : false,
    indexable: isShown && row.indexable,
    hide_collections: row.hide_collections,
    created_at: `${row.created_at.toISOString().slice(0, 10)}T00:00:00.000Z`,
    show_media: row.show_media,
    show_media_replies: row.show_media_replies,
    show_featured: row.show_featured,
    fields: isShown ? row.fields.map((field) => ({ ...field, value: fieldValue(config, row, field.value) })) : [],
    roles: isLocal ? (isShown && row.role ? [row.role] : []) : undefined,
    noindex: isLocal ? !row.indexable : undefined,
    memorial: row.memorial ? true : undefined,
    suspended: row.suspended ? true : undefined,
    limited: row.silenced ? true : undefined,
    email_subscriptions: undefined,
    invalid_handle: undefined,
  }
}

function fieldValue(config: Config, { domain }: AccountRow, value: string): string {
  return domain === null ? formatField(formatSource(config, value)) : value
}

function formatSource(config: Config, text: string): ProfileSource {
  return {
    text,
    tagUrl: (name) => `${config.origin}/tags/${encodeURIComponent(name)}`,
  }
}
