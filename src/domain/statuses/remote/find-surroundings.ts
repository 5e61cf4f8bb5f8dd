import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { readConversationTag } from '../../conversations/conversation-uri.ts'
import { isLinkableReply } from './is-linkable-reply.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'

/** What is stored about a remote status and what it refers to, before it is recorded. */
export interface Surroundings {
  /** Null if the author is not a stored remote account, or is suspended. */
  author: { domain: string; refreshedAt: Date | null } | null
  /** The stored status with its URI. */
  existing: { id: string; accountId: string; isLive: boolean } | null
  /** Whether its author deleted it before it arrived. */
  isDeleted: boolean
  parent: Parent | null
  /** The conversation that it names. */
  conversationId: string | null
  /** Whether replies to it arrived earlier. */
  hasWaitingReplies: boolean
}

/** The parent of a reply. `id` and `conversation_id` are null for a deleted parent, of which only the author is known. */
interface Parent {
  id: string | null
  account_id: string
  in_reply_to_account_id: string | null
  conversation_id: string | null
}

interface Row {
  author_domain: string | null
  refreshed_at: Date | null
  existing_id: string | null
  existing_account_id: string | null
  is_live: boolean
  is_deleted: boolean
  parent_id: string | null
  parent_account_id: string | null
  parent_recipient_id: string | null
  parent_conversation_id: string | null
  deleted_parent_account_id: string | null
  conversation_id: string | null
  has_waiting_replies: boolean
}

const find = statement<{
  params: {
    uris: readonly string[]
    accountIds: readonly string[]
    visibilities: readonly string[]
    parentUris: readonly (string | null)[]
    conversationUris: readonly (string | null)[]
    /** The ids in conversation URIs of this server. */
    localConversationIds: readonly (string | null)[]
  }
  row: Row
}>(
  `select author.domain as author_domain, author.refreshed_at,
     existing.id as existing_id, existing.account_id as existing_account_id,
     existing.id is not null and existing.deleted_at is null as is_live,
     exists (select from tombstones t where t.uri = given.uri and t.owner_uri = author.uri) as is_deleted,
     parent.id as parent_id, parent.account_id as parent_account_id,
     parent.in_reply_to_account_id as parent_recipient_id, parent.conversation_id as parent_conversation_id,
     case when parent.id is null then (select a.id from tombstones t join accounts a on a.uri = t.owner_uri
       where t.uri = given.parent_uri order by t.created_at limit 1) end as deleted_parent_account_id,
     conversation.id as conversation_id,
     exists (select from statuses r where r.in_reply_to_uri = given.uri and r.in_reply_to_id is null
       and r.deleted_at is null) as has_waiting_replies
   from unnest($uris::text[], $accountIds::bigint[], $visibilities::text[], $parentUris::text[], $conversationUris::text[],
         $localConversationIds::bigint[])
       with ordinality as given (uri, account_id, visibility, parent_uri, conversation_uri, local_conversation_id, place)
     left join accounts author on author.id = given.account_id and author.domain is not null and author.suspended_at is null
     left join statuses existing on existing.uri = given.uri
     left join lateral (
       select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id from statuses p
       where p.uri = given.parent_uri
         and ${isLinkableReply({ author: 'given.account_id', visibility: 'given.visibility', parent: 'p' })}
       for key share of p
     ) parent on true
     left join conversations conversation on conversation.id = coalesce(given.local_conversation_id,
       (select c.id from conversations c where c.uri = given.conversation_uri))
   order by given.place`,
)

/**
 * Returns the surroundings of remote statuses, in their order. A parent that the author of the reply cannot see is
 * treated as unknown. The caller has locked the URIs of the statuses and of their parents.
 */
export async function findSurroundings(
  tx: Tx,
  { all }: { all: readonly RemoteStatusFacts[] },
): Promise<Surroundings[]> {
  const rows = await find(tx.db, {
    uris: all.map(({ uri }) => uri),
    accountIds: all.map(({ accountId }) => accountId),
    visibilities: all.map(({ visibility }) => visibility),
    parentUris: all.map(({ inReplyTo }) => inReplyTo),
    conversationUris: all.map(({ conversation }) => conversation),
    localConversationIds: all.map(({ conversation }) => readConversationTag(tx.config, conversation)),
  })
  return rows.map((row) => ({
    author: row.author_domain === null ? null : { domain: row.author_domain, refreshedAt: row.refreshed_at },
    existing:
      row.existing_id === null || row.existing_account_id === null
        ? null
        : { id: row.existing_id, accountId: row.existing_account_id, isLive: row.is_live },
    isDeleted: row.is_deleted,
    parent: parentOf(row),
    conversationId: row.conversation_id,
    hasWaitingReplies: row.has_waiting_replies,
  }))
}

function parentOf(row: Row): Parent | null {
  const accountId = row.parent_account_id ?? row.deleted_parent_account_id
  if (accountId === null) return null
  return {
    id: row.parent_id,
    account_id: accountId,
    in_reply_to_account_id: row.parent_recipient_id,
    conversation_id: row.parent_conversation_id,
  }
}
