import type { Page } from '../../lib/page.ts'
import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import type { CachedRead } from '../context.ts'
import { readStretches, stretchReader } from '../feeds/stretches.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'
import { NOBODY, visibleTo } from '../statuses/visibility.ts'
import { NotFound } from '../../lib/errors.ts'
import { findCachedAccount } from './find.ts'

/** Which page of statuses is asked for. */
interface Asked {
  author: string
  viewer: string | null
  without_replies: boolean
  without_boosts: boolean
  without_direct: boolean
  only_media: boolean
  tag: string | null
}

/** The viewer does not block whom the author boosts. */
const UNBLOCKED = `(s.reblog_of_id is null or not exists (
         select from statuses o join blocks b on b.account_id = asked.viewer and b.target_account_id = o.account_id
         where o.id = s.reblog_of_id))`

const readerFor = (viewer: 'asked.viewer' | typeof NOBODY) =>
  stretchReader<Asked>({
    columns: {
      author: 'bigint',
      viewer: 'bigint',
      without_replies: 'boolean',
      without_boosts: 'boolean',
      without_direct: 'boolean',
      only_media: 'boolean',
      tag: 'text',
    },
    table: 'statuses',
    alias: 's',
    where: 's.account_id = asked.author and s.deleted_at is null',
    id: 'id',
    shown: `${visibleTo(viewer, 's', 'asked.author')}
       and ${viewer === NOBODY ? 'asked.viewer is null' : UNBLOCKED}
       and (not asked.without_replies or ${isOwnTalk()})
       and (not asked.without_boosts or s.reblog_of_id is null)
       and (not asked.only_media or exists (
         select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null))
       and (not asked.without_direct or s.visibility <> 'direct')
       and (asked.tag is null or exists (
         select from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id and t.name = asked.tag))`,
  })
const [forViewer, forNobody] = [readerFor('asked.viewer'), readerFor(NOBODY)]

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
}

/**
 * A page of somebody's statuses, as this viewer may see them (null = anonymous): ids, newest first. A viewer whom the
 * author blocks sees none, also none of those that others wrote.
 * @throws NotFound
 */
export async function readAccountStatuses(read: CachedRead, input: AccountStatusesInput): Promise<string[]> {
  const author = await findCachedAccount(read, { id: input.accountId })
  if (!author) throw new NotFound()
  const { id, suspended } = author
  const tag = input.tagged === undefined || input.tagged === '' ? null : normalizeTag(input.tagged)
  // A name that no tag can have is on no status.
  if (suspended || (input.tagged && tag === null)) return []
  return readStretches(read.db, {
    reader: input.viewerId === null ? forNobody : forViewer,
    asked: {
      author: id,
      viewer: input.viewerId,
      without_replies: input.excludeReplies ?? false,
      without_boosts: input.excludeReblogs ?? false,
      without_direct: input.excludeDirect ?? false,
      only_media: input.onlyMedia ?? false,
      tag,
    },
    page: input.page,
    idOf: (statusId) => statusId,
    keep: (ids) => ids,
  })
}
