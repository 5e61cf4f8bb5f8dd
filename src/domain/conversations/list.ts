import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { isWantedTalk } from './wanted.ts'

/** What somebody has of a talk among a few. */
export interface ConversationRow {
  id: string
  /** Its place among the others: its newest status. */
  cursor: string
  unread: boolean
  /** The others. */
  participant_ids: string[]
  /** The newest that may be seen. */
  status_id: string
}

// Conversations without a visible status are omitted.
const SHOWN = `select c.id, c.last_status_id as cursor, c.unread, c.participant_ids, shown.id as status_id
  from account_conversations c, lateral (
    select s.id from account_conversation_statuses e join statuses s on s.id = e.status_id
    where e.account_conversation_id = c.id and ${visibleTo('$accountId')}
    order by e.status_id desc limit 1
  ) shown
  where c.account_id = $accountId and ${isWantedTalk('$accountId', 'c.participant_ids')}`

const page = pageClause('c.last_status_id')
const newest = statement<{ params: { accountId: string } & PageParameters; row: ConversationRow }>(
  `${SHOWN} and ${page.where} ${page.descending}`,
)
const upwards = statement<{ params: { accountId: string } & PageParameters; row: ConversationRow }>(
  `${SHOWN} and ${page.where} ${page.ascending}`,
)

/** A page of somebody's conversations, that with the newest status first. */
export async function readConversations(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<ConversationRow[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}

const findOne = statement<{ params: { accountId: string; id: string }; row: ConversationRow }>(
  `${SHOWN} and c.id = $id`,
)

/** One of somebody's conversations. @throws NotFound also for somebody else's, and where nothing may be seen any more */
export async function findConversation(
  read: Pick<Read, 'db'>,
  { id, accountId }: { id: string; accountId: string },
): Promise<ConversationRow> {
  const [row] = await findOne(read.db, { accountId, id })
  if (!row) throw new NotFound()
  return row
}
