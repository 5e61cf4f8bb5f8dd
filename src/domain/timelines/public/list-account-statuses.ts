import type { Page } from '../../../lib/page.ts'
import type { CachedRead } from '../../context.ts'
import { readKeysetBatches, keysetBatchReader } from '../../core/keyset-batches.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { ANONYMOUS, visibleTo } from '../../access/visibility.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { findCachedAccount } from '../../accounts/lookup/find-account.ts'
import { accountStatusesCondition, accountStatusesParameters } from './account-statuses-filter.ts'
import type { AccountStatusesFilter, AccountStatusesParameters } from './account-statuses-filter.ts'
import { isTagRarerThanAuthor } from './compare-densities.ts'

/** The parameters of the keyset query. */
interface AccountStatusesQuery extends AccountStatusesParameters {
  author: string
  viewer: string | null
}

/**
 * SQL condition: no block, mute or domain block of the viewer hides the author of the reblogged status. Authors see all
 * of their own reblogs, so that they can undo them.
 */
const IS_ORIGINAL_AUTHOR_SHOWN = `(s.reblog_of_id is null or requested.author = requested.viewer or not exists (
         select from statuses o join accounts a on a.id = o.account_id
         where o.id = s.reblog_of_id and ${isHiddenFromViewer('requested.viewer')}))`

const COLUMNS = {
  author: 'bigint',
  viewer: 'bigint',
  without_replies: 'boolean',
  without_reblogs: 'boolean',
  without_direct: 'boolean',
  only_media: 'boolean',
  tag: 'text',
} as const

type Viewer = 'requested.viewer' | typeof ANONYMOUS

/** Returns the SQL condition that the status `s` of the author is one of those that the client requests. */
const isRequested = (viewer: Viewer) => `${visibleTo(viewer, 's', 'requested.author')}
  and ${viewer === ANONYMOUS ? 'requested.viewer is null' : IS_ORIGINAL_AUTHOR_SHOWN}
  and ${accountStatusesCondition((name) => `requested.${name}`)}`

const readerFor = (viewer: Viewer) =>
  keysetBatchReader<AccountStatusesQuery>({
    columns: COLUMNS,
    table: 'statuses',
    alias: 's',
    where: 's.account_id = requested.author and s.deleted_at is null',
    id: 'id',
    filter: isRequested(viewer),
  })

/** Reads the first media attachment of each status, so that an account with few media need not read all its statuses. */
const mediaReaderFor = (viewer: Viewer) =>
  keysetBatchReader<AccountStatusesQuery>({
    columns: COLUMNS,
    table: 'media_attachments',
    alias: 'm',
    where: `m.account_id = requested.author and not exists (
      select from media_attachments earlier where earlier.status_id = m.status_id and earlier.id < m.id)`,
    id: 'status_id',
    filter: `exists (select from statuses s where s.id = m.status_id and s.deleted_at is null and ${isRequested(viewer)})`,
  })

/**
 * Reads the statuses with the hashtag, if they are rarer than those of the author. `offset 0` keeps the planner from
 * reading all statuses of the author.
 */
const tagReaderFor = (viewer: Viewer) =>
  keysetBatchReader<AccountStatusesQuery>({
    columns: COLUMNS,
    table: 'status_tags',
    alias: 'st',
    where: 'st.tag_id = (select id from tags where name = requested.tag)',
    id: 'status_id',
    filter: `exists (select from statuses s where s.id = st.status_id and s.account_id = requested.author
      and s.deleted_at is null and ${isRequested(viewer)} offset 0)`,
  })

const readers = {
  statuses: { viewer: readerFor('requested.viewer'), anonymous: readerFor(ANONYMOUS) },
  media: { viewer: mediaReaderFor('requested.viewer'), anonymous: mediaReaderFor(ANONYMOUS) },
  tag: { viewer: tagReaderFor('requested.viewer'), anonymous: tagReaderFor(ANONYMOUS) },
}

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
  const { tag, only_media: onlyMedia } = parameters
  const isTagRarer = tag === null ? false : await isTagRarerThanAuthor(read, { accountId: id, tag })
  if (isTagRarer === null) return []
  const rows = isTagRarer ? 'tag' : onlyMedia ? 'media' : 'statuses'
  return readKeysetBatches(read.db, {
    reader: readers[rows][input.viewerId === null ? 'anonymous' : 'viewer'],
    query: { author: id, viewer: input.viewerId, ...parameters },
    page: input.page,
    idOf: (statusId) => statusId,
    filterRows: (ids) => ids,
  })
}
