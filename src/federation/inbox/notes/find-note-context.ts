import type { Ctx } from '../../../domain/context.ts'
import { isFollowedLocally } from '../../../domain/access/followed-locally.ts'
import { originalVisibleTo } from '../../../domain/access/visibility.ts'
import { isHostFederating } from '../../../domain/domain-blocks/federating-domain.ts'
import { createBatch } from '../../../platform/create-batch.ts'
import { statement } from '../../../platform/db/statement.ts'
import { visibilityOf } from '../../objects/audience.ts'
import type { ParsedNote } from '../../objects/read/read-note.ts'
import { REFRESH_AFTER_HOURS } from '../../remote/actors/resolve-actor.ts'
import { isLocalDomain } from '../../remote/fetch/request-remote.ts'
import type { NoteReferences } from '../../remote/statuses/resolve-status.ts'
import { hostOf } from '../../wire/read-values.ts'

/** What is stored about a delivered note before it is recorded. */
export interface NoteContext {
  isRelevant: boolean
  /**
   * The author with the known accounts that the note names; null if the author has to be resolved first: unknown,
   * refused, or due for a refresh.
   */
  known: (NoteReferences & { accountId: string }) | null
}

interface NoteQuery {
  note: ParsedNote
  /** The account in whose personal inbox it arrived. */
  readerId: string | null
}

interface Row {
  author_id: string | null
  author_uri: string
  followers_url: string | null
  following_url: string | null
  is_usable: boolean | null
  followed: boolean
  is_addressed: boolean
  is_relevant_reply: boolean
  quotes_local: boolean
  account_ids: Record<string, string>
}

// `$notes`: `author_host` is canonical.
const find = statement<{
  params: { notes: string; limitedFederation: boolean; now: Date }
  row: Row
  notNull: 'author_uri' | 'account_ids'
}>(
  `select a.id as author_id, n.author_uri, a.followers_url, a.following_url,
     a.domain is not null and a.suspended_at is null
       and a.refreshed_at >= $now::timestamptz - make_interval(hours => ${REFRESH_AFTER_HOURS})
       and ${isHostFederating('n.author_host')} and ${isHostFederating('a.domain')} as is_usable,
     ${isFollowedLocally('a.id')} as followed,
     n.reader_id is not null or exists (select from accounts l where l.uri = any(n.addressed)
       and l.domain is null) as is_addressed,
     exists (select from statuses p join accounts pa on pa.id = p.account_id
       where p.uri = n.parent_uri and not p.local_only and ${originalVisibleTo('a.id', 'p')} and (pa.domain is null
         or ${isFollowedLocally('pa.id')})) as is_relevant_reply,
     exists (select from statuses q where q.uri = n.quoted_uri and q.local and q.deleted_at is null) as quotes_local,
     coalesce((select jsonb_object_agg(l.uri, l.id::text) from accounts l
       where l.uri = any(n.addressed || n.mentioned) and l.suspended_at is null), '{}') as account_ids
   from jsonb_to_recordset($notes::jsonb) as n (place integer, author_uri text, author_host text, addressed text[],
       mentioned text[], parent_uri text, quoted_uri text, reader_id bigint)
     left join accounts a on a.uri = n.author_uri
   order by n.place`,
)

const findBatched = createBatch<Pick<Ctx, 'db' | 'config' | 'now'>, NoteQuery, Row>(
  async ({ db, config, now }, queries) =>
    find(db, {
      notes: JSON.stringify(queries.map(columnsOf)),
      limitedFederation: config.access.limitedFederation,
      now: now(),
    }),
  { maxItems: 100 },
)

function columnsOf({ note, readerId }: NoteQuery, place: number): object {
  return {
    place,
    author_uri: note.attributedTo,
    author_host: hostOf(note.attributedTo),
    addressed: [...note.to, ...note.cc],
    mentioned: note.mentions,
    parent_uri: note.inReplyTo,
    quoted_uri: note.quote?.uri,
    reader_id: readerId,
  }
}

/** Returns the context of a delivered note. Concurrent calls share one statement. */
export async function findNoteContext(ctx: Ctx, query: NoteQuery): Promise<NoteContext> {
  const row = await findBatched(ctx, query)
  const { author_id: accountId, author_uri: uri, followers_url, following_url } = row
  const isLocal = isLocalDomain(ctx, hostOf(uri) ?? '')
  return {
    isRelevant: isRelevant(query.note, row),
    known:
      accountId === null || !row.is_usable || isLocal
        ? null
        : { accountId, author: { uri, followers_url, following_url }, ids: new Map(Object.entries(row.account_ids)) },
  }
}

/**
 * Returns whether a note is to be recorded: a local account follows its author, or has requested to, it is addressed to
 * a local account, it quotes a local status, or it replies to a status, visible to its author, by an account that is
 * local or followed by a local account. A followers-only note is relevant only to followers and addressed accounts, a
 * direct note only to addressed accounts.
 */
function isRelevant(
  { to, cc }: ParsedNote,
  { followers_url: followersUrl, followed, is_addressed: isAddressed, is_relevant_reply, quotes_local }: Row,
): boolean {
  const visibility = visibilityOf({ to, cc }, { followersUrl })
  if (visibility === 'direct') return isAddressed
  if (visibility === 'private') return followed || isAddressed
  return followed || isAddressed || is_relevant_reply || quotes_local
}
