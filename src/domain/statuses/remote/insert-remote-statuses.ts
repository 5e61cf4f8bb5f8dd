import { randomInt } from 'node:crypto'
import { ConflictError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { candidateIds } from '../parts/candidate-ids.ts'
import { isPlausibleEditTime } from '../parts/recency.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'

/** A remote status to insert. */
export interface NewRemoteStatus {
  facts: RemoteStatusFacts
  parentId: string | null
  /** The account replied to. */
  recipientId: string | null
  conversationId: string
  publishedAt: Date
  emojiIds: readonly string[]
}

const insert = statement<{ params: { rows: string }; row: { id: string; uri: string } }>(
  `insert into statuses (id, account_id, uri, url, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, conversation_id, created_at, edited_at, emoji_ids,
     origin_replies_count, origin_reblogs_count, origin_favourites_count, quote_automatic, quote_manual, local)
   select coalesce(id, next_status_id()), account_id, uri, url, content, spoiler_text, visibility, sensitive, language,
     in_reply_to_id, in_reply_to_account_id, in_reply_to_uri, conversation_id, created_at, edited_at, emoji_ids,
     replies_count, reblogs_count, favourites_count, quote_automatic, quote_manual, false
   from jsonb_to_recordset($rows::jsonb) as r (id bigint, account_id bigint, uri text, url text, content text,
     spoiler_text text, visibility text, sensitive boolean, language text, in_reply_to_id bigint,
     in_reply_to_account_id bigint, in_reply_to_uri text, conversation_id bigint, created_at timestamptz,
     edited_at timestamptz, emoji_ids bigint[], replies_count integer, reblogs_count integer, favourites_count integer,
     quote_automatic text[], quote_manual text[])
   on conflict do nothing returning id, uri`,
)

/**
 * Inserts statuses with different URIs, and returns their ids in the same order.
 * @throws ConflictError if no id is free for one of them
 */
export async function insertRemoteStatuses(tx: Tx, all: readonly NewRemoteStatus[]): Promise<string[]> {
  const ids = new Map<string, string>()
  let waiting = all.map((status) => ({
    row: rowOf(tx, status),
    candidates: candidateIds(tx, { at: status.publishedAt, random: randomInt }),
  }))
  while (waiting.length > 0) {
    const rows = waiting.map(({ row, candidates }) => {
      const { value, done } = candidates.next()
      if (done) throw new ConflictError()
      return { ...row, id: value }
    })
    for (const { id, uri } of await insert(tx.db, { rows: JSON.stringify(rows) })) ids.set(uri, id)
    waiting = waiting.filter(({ row }) => !ids.has(row.uri))
  }
  return all.map(({ facts }) => ids.get(facts.uri)!)
}

function rowOf(tx: Tx, { facts, parentId, recipientId, conversationId, publishedAt, emojiIds }: NewRemoteStatus) {
  const { updatedAt } = facts
  const isEdited = updatedAt !== null && updatedAt > publishedAt && isPlausibleEditTime(tx, updatedAt)
  return {
    account_id: facts.accountId,
    uri: facts.uri,
    url: facts.url,
    content: facts.content,
    spoiler_text: facts.spoilerText,
    visibility: facts.visibility,
    sensitive: facts.sensitive,
    language: facts.language,
    in_reply_to_id: parentId,
    in_reply_to_account_id: recipientId,
    in_reply_to_uri: facts.inReplyTo,
    conversation_id: conversationId,
    created_at: publishedAt,
    edited_at: isEdited ? updatedAt : null,
    emoji_ids: emojiIds,
    replies_count: facts.repliesCount,
    reblogs_count: facts.sharesCount,
    favourites_count: facts.likesCount,
    quote_automatic: facts.quoteAutomatic,
    quote_manual: facts.quoteManual,
  }
}

const findConversations = statement<{ params: { uris: readonly string[] }; row: { id: string; uri: string | null } }>(
  `select id, uri from conversations where uri = any($uris)`,
)
// Ordered, so that two transactions that insert the same conversations do not deadlock.
const insertConversations = statement<{
  params: { uris: readonly (string | null)[]; now: Date }
  row: { id: string; uri: string | null }
}>(
  `insert into conversations (uri, created_at) select uri, $now from unnest($uris::text[]) uri order by uri
   on conflict (uri) do nothing returning id, uri`,
)

/** Returns the ids of conversations in the order of the URIs: one for each URI, and a new one for each null. */
export async function ensureConversations(tx: Tx, { uris }: { uris: readonly (string | null)[] }): Promise<string[]> {
  if (uris.length === 0) return []
  const names = [...new Set(uris.filter((uri) => uri !== null))]
  const rows = await insertConversations(tx.db, {
    uris: [...names, ...uris.filter((uri) => uri === null)],
    now: tx.now,
  })
  const unnamed = rows.filter(({ uri }) => uri === null)
  const ids = new Map(rows.map(({ uri, id }) => [uri, id]))
  // If another transaction inserted some of them in between, the next statement sees its rows.
  const missing = names.filter((uri) => !ids.has(uri))
  if (missing.length > 0) for (const { uri, id } of await findConversations(tx.db, { uris: missing })) ids.set(uri, id)
  return uris.map((uri) => (uri === null ? unnamed.pop()!.id : ids.get(uri)!))
}
