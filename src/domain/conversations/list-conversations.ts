import { NotFoundError } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { visibleTo } from '../access/visibility.ts'
import { isVisibleConversation } from '../access/is-visible-conversation.ts'

/** A conversation of an account. Mastodon: the Conversation entity. */
export interface ConversationRow {
  id: string
  /** The id of its newest status, which determines its position in the list. */
  cursor: string
  unread: boolean
  /** The ids of the other participants. */
  participant_ids: string[]
  /** The newest status that the account may see. */
  status_id: string
}

// Conversations without a visible status are omitted.
const VISIBLE_CONVERSATIONS = `select c.id, c.last_status_id as cursor, c.unread, c.participant_ids, newest.id as status_id
  from account_conversations c, lateral (
    select s.id from account_conversation_statuses e join statuses s on s.id = e.status_id
    where e.account_conversation_id = c.id and ${visibleTo('$accountId')}
    order by e.status_id desc limit 1
  ) newest
  where c.account_id = $accountId and ${isVisibleConversation('$accountId', 'c.participant_ids')}`

const keyset = keysetClause('c.last_status_id')
const descending = statement<{ params: { accountId: string } & PageParameters; row: ConversationRow }>(
  `${VISIBLE_CONVERSATIONS} and ${keyset.where} ${keyset.descending}`,
)
const ascending = statement<{ params: { accountId: string } & PageParameters; row: ConversationRow }>(
  `${VISIBLE_CONVERSATIONS} and ${keyset.where} ${keyset.ascending}`,
)

/**
 * Returns a page of the account's conversations, the one with the newest status first.
 * Mastodon: GET /api/v1/conversations
 */
export async function listConversations(
  read: Read,
  { accountId, page }: { accountId: string; page: Page },
): Promise<ConversationRow[]> {
  const values = { accountId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}

const findOne = statement<{ params: { accountId: string; id: string }; row: ConversationRow }>(
  `${VISIBLE_CONVERSATIONS} and c.id = $id`,
)

/**
 * Returns a conversation of the account.
 * @throws NotFoundError also for another account's conversation, and if no status in it is visible any more
 */
export async function findConversation(
  read: Pick<Read, 'db'>,
  { id, accountId }: { id: string; accountId: string },
): Promise<ConversationRow> {
  const [row] = await findOne(read.db, { accountId, id })
  if (!row) throw new NotFoundError()
  return row
}
