import type { Page } from '../../../lib/page.ts'
import type { CachedRead } from '../../context.ts'
import { readKeysetBatches, keysetBatchReader } from '../../core/keyset-batches.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { ANONYMOUS, visibleTo } from '../../access/visibility.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { findCachedAccount } from '../../accounts/lookup/find-account.ts'
import { accountStatusesCondition, accountStatusesParameters } from './account-statuses-filter.ts'
import type { AccountStatusesFilter, AccountStatusesParameters } from './account-statuses-filter.ts'

/** The parameters of the keyset query. */
interface AccountStatusesQuery extends AccountStatusesParameters {
  author: string
  viewer: string | null
}

/**
 * SQL condition: no block, mute or domain block of the viewer hides the author of the reblogged status. Authors see all
 * of their own reblogs, so that they can undo them.
 */
const IS_REBLOG_WANTED = `(s.reblog_of_id is null or asked.author = asked.viewer or not exists (
         select from statuses o join accounts a on a.id = o.account_id
         where o.id = s.reblog_of_id and ${isHiddenFromViewer('asked.viewer')}))`

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
       and ${viewer === ANONYMOUS ? 'asked.viewer is null' : IS_REBLOG_WANTED}
       and ${accountStatusesCondition((name) => `asked.${name}`)}`,
  })
const [viewerReader, anonymousReader] = [batchReaderFor('asked.viewer'), batchReaderFor(ANONYMOUS)]

export interface AccountStatusesInput extends AccountStatusesFilter {
  accountId: string
  viewerId: string | null
  page: Page
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
  const parameters = accountStatusesParameters(input)
  if (suspended || !parameters) return []
  return readKeysetBatches(read.db, {
    reader: input.viewerId === null ? anonymousReader : viewerReader,
    query: { author: id, viewer: input.viewerId, ...parameters },
    page: input.page,
    idOf: (statusId) => statusId,
    filterRows: (ids) => ids,
  })
}
