import type { Read } from '../../domain/context.ts'
import { confirmedAccount } from '../../domain/access/usable-account.ts'
import { blocksDomainOf } from '../../domain/access/user-domain-blocks.ts'
import type { Relationship, RelationshipWithObjects } from '../../entities/accounts/relationship.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { statement } from '../../platform/db/statement.ts'

interface RelationshipRow {
  id: string
  following: boolean
  requested: boolean
  /** Option of the follow or the follow request. */
  show_reblogs: boolean | null
  notify: boolean | null
  languages: string[] | null
  followed_by: boolean
  requested_by: boolean
  blocking: boolean
  blocked_by: boolean
  /** null if the account is not muted. */
  hide_notifications: boolean | null
  mute_expires_at: Date | null
  domain_blocking: boolean
  endorsed: boolean
  note: string
}

/** SQL condition: `a` is among the accounts of a column of the rows with the viewer in another one, which are read once. */
const isAmong = (table: string, column: string, viewerColumn: string) =>
  `a.id in (select ${column} from ${table} where ${viewerColumn} = $viewerId and ${column} = any($ids::bigint[]))`

const select = statement<{
  params: { ids: readonly string[]; viewerId: string; withSuspended: boolean }
  row: RelationshipRow
}>(
  `select a.id, f.id is not null as following, f.id is null and r.id is not null as requested,
     coalesce(f.show_reblogs, r.show_reblogs) as show_reblogs, coalesce(f.notify, r.notify) as notify,
     case when f.id is not null then f.languages else r.languages end as languages,
     ${isAmong('follows', 'account_id', 'target_account_id')} as followed_by,
     ${isAmong('follow_requests', 'account_id', 'target_account_id')} as requested_by,
     ${isAmong('blocks', 'target_account_id', 'account_id')} as blocking,
     ${isAmong('blocks', 'account_id', 'target_account_id')} as blocked_by,
     m.hide_notifications, m.expires_at as mute_expires_at, ${blocksDomainOf('$viewerId', 'a')} as domain_blocking,
     ${isAmong('endorsements', 'target_account_id', 'account_id')} as endorsed,
     coalesce(n.comment, '') as note
   from unnest($ids::bigint[]) with ordinality as ids (id, position) join accounts a on a.id = ids.id
     left join users u on u.account_id = a.id
     left join follows f on f.account_id = $viewerId and f.target_account_id = a.id
     left join follow_requests r on r.account_id = $viewerId and r.target_account_id = a.id
     left join mutes m on m.account_id = $viewerId and m.target_account_id = a.id
       and (m.expires_at is null or m.expires_at > now())
     left join account_notes n on n.account_id = $viewerId and n.target_account_id = a.id
   where ${confirmedAccount()} and ($withSuspended::boolean or a.suspended_at is null)
   order by ids.position`,
)

/**
 * Returns the viewer's relationships to these accounts, in the order of the ids; those of unknown and unconfirmed
 * accounts are omitted, and those of suspended ones without `withSuspended`.
 * `objectForm` returns three of the fields as objects, for `relationship_format=object`. `assumedId`: an account to
 * which a follow request was just sent, which is returned as accepted.
 */
export async function renderRelationships(
  read: Read,
  {
    ids,
    viewerId,
    withSuspended = true,
    objectForm = false,
    assumedId,
  }: {
    ids: readonly string[]
    viewerId: string
    withSuspended?: boolean
    objectForm?: boolean
    assumedId?: string | undefined
  },
): Promise<(Relationship | RelationshipWithObjects)[]> {
  if (ids.length === 0) return []
  const rows = await select(read.db, { ids, viewerId, withSuspended })
  return rows.map((row) => {
    const assumed = row.id === assumedId && row.requested
    const shown = assumed ? { ...row, following: true, requested: false } : row
    return objectForm ? relationshipWithObjects(shown) : relationshipOf(shown)
  })
}

function relationshipOf(row: RelationshipRow): Relationship {
  return entity<Relationship>({
    id: row.id,
    following: row.following,
    showing_reblogs: row.show_reblogs ?? false,
    notifying: row.notify ?? false,
    languages: row.languages,
    followed_by: row.followed_by,
    blocking: row.blocking,
    blocked_by: row.blocked_by,
    muting: row.hide_notifications !== null,
    muting_notifications: row.hide_notifications ?? false,
    // Mastodon writes this one date without milliseconds.
    muting_expires_at: row.mute_expires_at?.toISOString().replace(/\.\d+Z$/, 'Z') ?? null,
    requested: row.requested,
    requested_by: row.requested_by,
    domain_blocking: row.domain_blocking,
    endorsed: row.endorsed,
    note: row.note,
  })
}

function relationshipWithObjects(row: RelationshipRow): RelationshipWithObjects {
  const flat = relationshipOf(row)
  const reblogs = flat.showing_reblogs
  return {
    ...flat,
    following: row.following && { reblogs, notify: flat.notifying },
    requested: row.requested && { reblogs },
    muting: row.hide_notifications !== null && { notifications: row.hide_notifications },
  }
}
