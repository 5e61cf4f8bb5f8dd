import type { Page } from '../../lib/page.ts'
import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'
import { NOBODY, visibleTo } from '../statuses/visibility.ts'
import { findAccount } from './find.ts'

const page = pageClause('s.id', 3)

/** Neither does the author block the viewer, nor the viewer whom they boost. */
const UNBLOCKED = `not exists (select from blocks b where b.account_id = $2 and b.target_account_id = $1::bigint)
       and (s.reblog_of_id is null or not exists (
         select from statuses o join blocks b on b.account_id = $1::bigint and b.target_account_id = o.account_id
         where o.id = s.reblog_of_id))`

// $1 viewer, $2 author, $3–$6 page, $7 without replies, $8 without boosts, $9 with media only, $10 without direct ones,
// $11 tag. The author's index is entered whatever is left out, so the filters are parameters of one text.
const select = (viewer: '$1' | typeof NOBODY, order: string) =>
  statement<{ id: string }>(
    `select s.id from statuses s
     where s.account_id = $2 and s.deleted_at is null and ${page.where} and ${visibleTo(viewer)}
       and ${viewer === NOBODY ? '$1::bigint is null' : UNBLOCKED}
       and (not $7::boolean or ${isOwnTalk()})
       and (not $8::boolean or s.reblog_of_id is null)
       and (not $9::boolean or exists (
         select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null))
       and (not $10::boolean or s.visibility <> 'direct')
       and ($11::text is null or exists (
         select from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id and t.name = $11))
     ${order}`,
  )

const variants = (viewer: '$1' | typeof NOBODY) => ({
  newest: select(viewer, page.descending),
  upwards: select(viewer, page.ascending),
})
const [forViewer, forNobody] = [variants('$1'), variants(NOBODY)]

export interface AccountStatusesInput {
  accountId: string
  viewerId: string | null
  page: Page
  /** Leaves out replies to others; going on under one's own post stays. */
  excludeReplies?: boolean
  excludeReblogs?: boolean
  excludeDirect?: boolean
  onlyMedia?: boolean
  /** Only what carries this hashtag. */
  tagged?: string
  /** When the viewer's request looked for changes. */
  asOf?: Moment | undefined
}

/**
 * A page of somebody's statuses, as this viewer may see them (null = anonymous): ids, newest first. A viewer whom the
 * author blocks sees none, also none of those that others wrote.
 * @throws NotFound
 */
export async function readAccountStatuses(read: Read, input: AccountStatusesInput): Promise<string[]> {
  const { id, suspended } = await findAccount(read, { id: input.accountId, asOf: input.asOf })
  const tag = input.tagged === undefined || input.tagged === '' ? null : normalizeTag(input.tagged)
  // A name that no tag can have is on no status.
  if (suspended || (input.tagged && tag === null)) return []
  const values = [
    input.viewerId,
    id,
    ...pageValues(input.page),
    input.excludeReplies ?? false,
    input.excludeReblogs ?? false,
    input.onlyMedia ?? false,
    input.excludeDirect ?? false,
    tag,
  ]
  const { newest, upwards } = input.viewerId === null ? forNobody : forViewer
  const rows = await readPaged(input.page, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
  return rows.map((row) => row.id)
}
