import { statement } from '../../../platform/db/statement.ts'
import type { Statement } from '../../../platform/db/statement.ts'
import {
  isReplyEligible,
  isReplyEligibleInList,
  matchesFollowOptions,
  isActiveUser,
  isNotBlockedOrMuted,
  STATUSES_WITH_ATTRIBUTES,
} from '../../access/feed-eligibility.ts'
import { AUDIENCE_ATTRIBUTES, AUDIENCE_COLUMNS, isThreadKnown } from './audience.ts'
import { HOME_FEED, LIST_FEED, isAmongNewestEntries, isWithinFeedLength } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'

// The statements that add statuses to the feeds of many readers.

export interface FanOutParameters {
  statusIds: readonly string[]
  tagIds: readonly (string | null)[]
  /** The last follower or list membership that was processed. */
  cursors: readonly string[]
  isExcluded: readonly boolean[]
  /** Whether the statuses were edited, and may be too old for a feed. */
  isEdit: boolean
  /** Whether each feed is to be searched for the original of a reblog, because too many feeds contain it. */
  searchesFeeds: readonly boolean[]
  /** Feeds that contain the original of a reblog: the n-th feed that of the n-th reblog. */
  reblogIds: readonly string[]
  feedIds: readonly string[]
  limit: number
}
export interface ReachedFeeds {
  position: number
  last: string | null
  size: number
  /** The feeds that contain the status now, also those from an earlier run, which may not have published it. */
  feed_ids: string[]
}

export type FanOutStatement = Statement<{ params: FanOutParameters; row: ReachedFeeds }>

/**
 * SQL for the statuses `audience`, each with a position and with those who may get it. The locks are for all entries of
 * the statuses: a concurrent deletion waits, and then deletes these entries too.
 */
const AUDIENCES = `locked as (
  select id from statuses where id = any($statusIds::bigint[]) and deleted_at is null order by id for key share
), audience as materialized (
  select given.position, given.tag_id, given.cursor, given.is_excluded, given.searches_feeds,
    s.reblog_of_id is not null or $isEdit::boolean as avoids_repetition, ${AUDIENCE_COLUMNS}
  from unnest($statusIds::bigint[], $tagIds::bigint[], $cursors::bigint[], $isExcluded::boolean[], $searchesFeeds::boolean[])
    with ordinality given (status_id, tag_id, cursor, is_excluded, searches_feeds, position)
    join locked on locked.id = given.status_id, ${STATUSES_WITH_ATTRIBUTES}
  where s.id = locked.id
), excluded_reader as materialized (
  select audience.position, l.account_id
  from audience join list_accounts la on la.account_id = audience.account_id join lists l on l.id = la.list_id
  where audience.is_excluded and l.exclusive
), containing as materialized (
  select reblog_id, feed_id from unnest($reblogIds::bigint[], $feedIds::bigint[]) containing (reblog_id, feed_id)
)`

const isNotExcluded = (reader: string) =>
  `(not audience.is_excluded
    or not exists (select from excluded_reader e where e.position = audience.position and e.account_id = ${reader}))`

/**
 * SQL condition: the feed does not contain the original of the reblog `audience`, nor a reblog of the edited status
 * `audience`, which is not older than all that the feed retains.
 */
const isNew = (kind: FeedKind, feed: string) =>
  `(not audience.avoids_repetition
     or not exists (select from containing where containing.reblog_id = audience.id and containing.feed_id = ${feed}))
   and not (audience.searches_feeds and ${isAmongNewestEntries(kind, { feed, original: 'audience.original_id', reblog: 'audience.id' })})
   and (not $isEdit::boolean or ${isWithinFeedLength(kind, { feed, status: 'audience.id' })})`

/** SQL for the columns of an entry, besides the feed. */
const ENTRY = 'audience.id as status_id, audience.original_id'

/**
 * `members`: SQL for the next followers or list memberships of the author or hashtag of `audience`. `readers`: SQL for
 * the feeds among them, `reader`, that get the status.
 */
interface Readers {
  members: string
  readers: string
}

/**
 * Returns the statement that adds statuses to feeds. `unlessPresent`: whether it skips feeds that contain them already,
 * which takes a sixth of its time. Otherwise it fails then, and adds nothing (unique_violation).
 */
const fanOut = (
  { key, table }: FeedKind,
  { members, readers, unlessPresent = true }: Readers & { unlessPresent?: boolean },
): FanOutStatement =>
  statement<{ params: FanOutParameters; row: ReachedFeeds }>(
    `with ${AUDIENCES}, member as materialized (
       select audience.position, c.* from audience, lateral (${members} limit $limit) c
     ), reader as materialized (${readers}
     ), added as (
       insert into ${table} (${key}, status_id, original_id)
       select id, status_id, original_id from reader order by id, status_id ${unlessPresent ? 'on conflict do nothing' : ''}
     )
     select audience.position::int as position, processed.last, coalesce(processed.size, 0) as size, coalesce(reached.feed_ids, '{}') as feed_ids
     from audience
       left join (
         select position, max(cursor) as last, count(*)::int as size from member group by position
       ) processed on processed.position = audience.position
       left join (
         select position, array_agg(id::text) as feed_ids from reader group by position
       ) reached on reached.position = audience.position`,
  )

// The first round also adds the status to the author's own feed.
const toFollowers: Readers = {
  members: `select f.id as cursor, f.account_id, f.show_reblogs, f.languages from follows f
    where f.target_account_id = audience.account_id and f.id > audience.cursor and ${isThreadKnown(AUDIENCE_ATTRIBUTES)} order by f.id`,
  readers: `select audience.position, c.account_id as id, ${ENTRY}
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
    where ${isActiveUser()} and ${matchesFollowOptions('c', AUDIENCE_ATTRIBUTES)} and ${isReplyEligible('c.account_id', AUDIENCE_ATTRIBUTES)}
      and ${isNotBlockedOrMuted('c.account_id', AUDIENCE_ATTRIBUTES)} and ${isNew(HOME_FEED, 'c.account_id')}
      and ${isNotExcluded('c.account_id')}
    union all
    select audience.position, audience.account_id, ${ENTRY} from audience join users u on u.account_id = audience.account_id
    where audience.cursor = 0 and ${isNew(HOME_FEED, 'audience.account_id')}`,
}

export const fanOutToFollowers = fanOut(HOME_FEED, toFollowers)
export const fanOutNewToFollowers = fanOut(HOME_FEED, { ...toFollowers, unlessPresent: false })

// An edit may have removed the hashtag since the status was loaded.
export const fanOutToTagFollowers = fanOut(HOME_FEED, {
  members: `select f.id as cursor, f.account_id from tag_follows f
    where f.tag_id = audience.tag_id and f.id > audience.cursor
      and exists (select from status_tags st where st.status_id = audience.id and st.tag_id = audience.tag_id) order by f.id`,
  readers: `select audience.position, c.account_id as id, ${ENTRY}
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
    where ${isActiveUser()} and c.account_id <> audience.account_id and ${isNotBlockedOrMuted('c.account_id', AUDIENCE_ATTRIBUTES)}
      and ${isNew(HOME_FEED, 'c.account_id')} and ${isNotExcluded('c.account_id')}`,
})

export const fanOutToLists = fanOut(LIST_FEED, {
  members: `select la.id as cursor, la.follow_id, l.id, l.account_id, l.replies_policy
    from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = audience.account_id and la.id > audience.cursor order by la.id`,
  readers: `select audience.position, c.id, ${ENTRY}
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
      join follows f on f.id = c.follow_id
    where ${isActiveUser()} and ${matchesFollowOptions('f', AUDIENCE_ATTRIBUTES)} and ${isReplyEligibleInList('c', AUDIENCE_ATTRIBUTES)}
      and ${isNotBlockedOrMuted('c.account_id', AUDIENCE_ATTRIBUTES)} and ${isNew(LIST_FEED, 'c.id')}
    union all
    select audience.position, c.id, ${ENTRY}
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
    where c.account_id = audience.account_id and ${isReplyEligibleInList('c', AUDIENCE_ATTRIBUTES)} and ${isNew(LIST_FEED, 'c.id')}`,
})
