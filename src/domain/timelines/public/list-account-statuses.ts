import type { Page } from '../../../lib/page.ts'
import { normalizeHashtag } from '../../../lib/text/entities/normalize-hashtag.ts'
import type { CachedRead } from '../../context.ts'
import { readKeysetBatches, keysetBatchReader } from '../../core/keyset-batches.ts'
import { isOwnThread } from '../../access/is-own-thread.ts'
import { ANONYMOUS, visibleTo } from '../../access/visibility.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { findCachedAccount } from '../../accounts/lookup/find-account.ts'

/** The parameters of the keyset query. */
interface AccountStatusesQuery {
  author: string
  viewer: string | null
  without_replies: boolean
  without_reblogs: boolean
  without_direct: boolean
  only_media: boolean
  tag: string | null
}

/** SQL condition: the viewer does not block the author of the reblogged status. */
const NOT_BLOCKED = `(s.reblog_of_id is null or not exists (
         select from statuses o join blocks b on b.account_id = asked.viewer and b.target_account_id = o.account_id
         where o.id = s.reblog_of_id))`

const batchReaderFor = (viewer: 'asked.viewer' | typeof ANONYMOUS) =>
  keysetBatchReader<AccountStatusesQuery>({
    columns: {
      author: 'bigint',
      viewer: 'bigint',
      without_replies: 'boolean',
      without_reblogs: 'boolean',
      without_direct: 'boolean',
      only_media: 'boolean',
      tag: 'text',
    },
    table: 'statuses',
    alias: 's',
    where: 's.account_id = asked.author and s.deleted_at is null',
    id: 'id',
    filter: `${visibleTo(viewer, 's', 'asked.author')}
       and ${viewer === ANONYMOUS ? 'asked.viewer is null' : NOT_BLOCKED}
       and (not asked.without_replies or ${isOwnThread()})
       and (not asked.without_reblogs or s.reblog_of_id is null)
       and (not asked.only_media or exists (
         select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null))
       and (not asked.without_direct or s.visibility <> 'direct')
       and (asked.tag is null or exists (
         select from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id and t.name = asked.tag))`,
  })
const [viewerReader, anonymousReader] = [batchReaderFor('asked.viewer'), batchReaderFor(ANONYMOUS)]

export interface AccountStatusesInput {
  accountId: string
  viewerId: string | null
  page: Page
  /** Leaves out replies to other accounts, but not self-replies. */
  excludeReplies?: boolean
  excludeReblogs?: boolean
  excludeDirect?: boolean
  onlyMedia?: boolean
  /** Only statuses with this hashtag. */
  tagged?: string
}

/**
 * Returns a page of an account's statuses that are visible to the viewer (null = anonymous): ids, newest first
 * (Mastodon: GET /api/v1/accounts/:id/statuses). A viewer whom the author blocks sees none, not even the author's
 * reblogs.
 * @throws NotFoundError
 */
export async function listAccountStatuses(read: CachedRead, input: AccountStatusesInput): Promise<string[]> {
  const author = await findCachedAccount(read, { id: input.accountId })
  if (!author) throw new NotFoundError()
  const { id, suspended } = author
  const tag = input.tagged === undefined || input.tagged === '' ? null : normalizeHashtag(input.tagged)
  // No status has a hashtag with an invalid name.
  if (suspended || (input.tagged && tag === null)) return []
  return readKeysetBatches(read.db, {
    reader: input.viewerId === null ? anonymousReader : viewerReader,
    query: {
      author: id,
      viewer: input.viewerId,
      without_replies: input.excludeReplies ?? false,
      without_reblogs: input.excludeReblogs ?? false,
      without_direct: input.excludeDirect ?? false,
      only_media: input.onlyMedia ?? false,
      tag,
    },
    page: input.page,
    idOf: (statusId) => statusId,
    filterRows: (ids) => ids,
  })
}
