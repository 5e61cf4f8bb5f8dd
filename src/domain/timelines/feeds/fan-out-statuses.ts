import { statement } from '../../../platform/db/statement.ts'
import type { Statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { processInRounds } from '../../core/process-in-rounds.ts'
import { publishToHomes, publishToLists } from '../../core/stream-topics.ts'
import {
  isReplyWanted,
  isReplyWantedInList,
  matchesFollowOptions,
  isActiveUser,
  isNotBlockedOrMuted,
  STORED_ATTRIBUTES,
  STATUSES_WITH_ATTRIBUTES,
} from '../../access/feed-eligibility.ts'
import { AUDIENCE_ATTRIBUTES, AUDIENCE_COLUMNS, FOLLOWED_TAG_IDS, isThreadKnown } from './audience.ts'
import {
  findFeedsContaining,
  HOME_FEED,
  LIST_FEED,
  isAmongNewestEntries,
  isWithinFeedLength,
} from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'

/** The maximum number of followers or list memberships that one statement processes. */
const ROUND_SIZE = 2_000

interface FannedOutStatus {
  id: string
  original_id: string
  /** Whether feeds with its original or with a reblog of it are left out. */
  avoids_repetition: boolean
  /** Whether it is published to the streams of its readers. */
  is_published: boolean
  /** Whether the author is on an exclusive list, which excludes its members from the home feed. */
  is_excluded: boolean
  /** Whether lists may show it: the author is on any list. */
  is_listed: boolean
  /** The followed hashtags of a public status. */
  followed_tag_ids: string[]
}

// Lists show no direct messages.
const load = statement<{ params: { ids: readonly string[]; isEdit: boolean }; row: FannedOutStatus }>(
  `select s.id, coalesce(s.reblog_of_id, s.id) as original_id,
     s.reblog_of_id is not null or $isEdit::boolean as avoids_repetition,
     s.restored_at is null and not $isEdit::boolean as is_published,
     exists (select from list_accounts la join lists l on l.id = la.list_id
       where la.account_id = s.account_id and l.exclusive) as is_excluded,
     s.visibility <> 'direct' and ${isThreadKnown(STORED_ATTRIBUTES)}
       and exists (select from list_accounts la where la.account_id = s.account_id) as is_listed,
     ${FOLLOWED_TAG_IDS} as followed_tag_ids
   from unnest($ids::bigint[]) with ordinality requested (id, position) join statuses s on s.id = requested.id
   where s.deleted_at is null order by requested.position`,
)

interface FanOutParameters {
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
interface ReachedFeeds {
  position: number
  last: string | null
  size: number
  /** The feeds that contain the status now, also those from an earlier run, which may not have published it. */
  feed_ids: string[]
}

/**
 * SQL for the statuses `audience`, each with a position and with those who may get it. The locks are for all entries of
 * the statuses: a concurrent deletion waits, and then deletes these entries too.
 */
const AUDIENCES = `locked as (
  select id from statuses where id = any($statusIds::bigint[]) and deleted_at is null order by id for key share
), audience as materialized (
  select given.position, given.tag_id, given.cursor, given.is_excluded, given.searches_feeds, ${AUDIENCE_COLUMNS}
  from unnest($statusIds::bigint[], $tagIds::bigint[], $cursors::bigint[], $isExcluded::boolean[], $searchesFeeds::boolean[])
    with ordinality given (status_id, tag_id, cursor, is_excluded, searches_feeds, position), ${STATUSES_WITH_ATTRIBUTES}
  where s.id = given.status_id and s.deleted_at is null
), excluded_reader as materialized (
  select audience.position, l.account_id
  from audience join list_accounts la on la.account_id = audience.account_id join lists l on l.id = la.list_id
  where audience.is_excluded and l.exclusive
), containing as materialized (
  select reblog_id, feed_id from unnest($reblogIds::bigint[], $feedIds::bigint[]) containing (reblog_id, feed_id)
)`

const isNotExcluded = (reader: string) =>
  `not exists (select from excluded_reader e where e.position = audience.position and e.account_id = ${reader})`

/**
 * SQL condition: the feed does not contain the original of the reblog `audience`, nor a reblog of the edited status
 * `audience`, which is not older than all that the feed retains.
 */
const isNew = (kind: FeedKind, feed: string) =>
  `not exists (select from containing where containing.reblog_id = audience.id and containing.feed_id = ${feed})
   and not (audience.searches_feeds and ${isAmongNewestEntries(kind, { feed, original: 'audience.original_id', reblog: 'audience.id' })})
   and (not $isEdit::boolean or ${isWithinFeedLength(kind, { feed, status: 'audience.id' })})`

/**
 * Returns the statement that adds statuses to feeds. `members`: SQL for the next followers or list memberships of the
 * author or hashtag of `audience`. `readers`: SQL for the feeds among them, `reader`, that get the status.
 */
const fanOut = ({ key, table }: FeedKind, { members, readers }: { members: string; readers: string }) =>
  statement<{ params: FanOutParameters; row: ReachedFeeds }>(
    `with ${AUDIENCES}, member as materialized (
       select audience.position, c.* from audience, lateral (${members} limit $limit) c
     ), reader as materialized (${readers}
     ), added as (
       insert into ${table} (${key}, status_id, original_id)
       select reader.id, locked.id, audience.original_id
       from reader join audience on audience.position = reader.position join locked on locked.id = audience.id
       order by reader.id, locked.id on conflict do nothing
     )
     select audience.position::int as position, processed.last, coalesce(processed.size, 0) as size, coalesce(reached.feed_ids, '{}') as feed_ids
     from audience join locked on locked.id = audience.id
       left join (
         select position, max(cursor) as last, count(*)::int as size from member group by position
       ) processed on processed.position = audience.position
       left join (
         select position, array_agg(id::text) as feed_ids from reader group by position
       ) reached on reached.position = audience.position`,
  )

// The first round also adds the status to the author's own feed.
const fanOutToFollowers = fanOut(HOME_FEED, {
  members: `select f.id as cursor, f.account_id, f.show_reblogs, f.languages from follows f
    where f.target_account_id = audience.account_id and f.id > audience.cursor and ${isThreadKnown(AUDIENCE_ATTRIBUTES)} order by f.id`,
  readers: `select audience.position, c.account_id as id
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
    where ${isActiveUser()} and ${matchesFollowOptions('c', AUDIENCE_ATTRIBUTES)} and ${isReplyWanted('c.account_id', AUDIENCE_ATTRIBUTES)}
      and ${isNotBlockedOrMuted('c.account_id', AUDIENCE_ATTRIBUTES)} and ${isNew(HOME_FEED, 'c.account_id')}
      and ${isNotExcluded('c.account_id')}
    union all
    select audience.position, audience.account_id from audience join users u on u.account_id = audience.account_id
    where audience.cursor = 0 and ${isNew(HOME_FEED, 'audience.account_id')}`,
})

// An edit may have removed the hashtag since the status was loaded.
const fanOutToTagFollowers = fanOut(HOME_FEED, {
  members: `select f.id as cursor, f.account_id from tag_follows f
    where f.tag_id = audience.tag_id and f.id > audience.cursor
      and exists (select from status_tags st where st.status_id = audience.id and st.tag_id = audience.tag_id) order by f.id`,
  readers: `select audience.position, c.account_id as id
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
    where ${isActiveUser()} and c.account_id <> audience.account_id and ${isNotBlockedOrMuted('c.account_id', AUDIENCE_ATTRIBUTES)}
      and ${isNew(HOME_FEED, 'c.account_id')} and ${isNotExcluded('c.account_id')}`,
})

const fanOutToLists = fanOut(LIST_FEED, {
  members: `select la.id as cursor, la.follow_id, l.id, l.account_id, l.replies_policy
    from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = audience.account_id and la.id > audience.cursor order by la.id`,
  readers: `select audience.position, c.id
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
      join follows f on f.id = c.follow_id
    where ${isActiveUser()} and ${matchesFollowOptions('f', AUDIENCE_ATTRIBUTES)} and ${isReplyWantedInList('c', AUDIENCE_ATTRIBUTES)}
      and ${isNotBlockedOrMuted('c.account_id', AUDIENCE_ATTRIBUTES)} and ${isNew(LIST_FEED, 'c.id')}
    union all
    select audience.position, c.id
    from audience join member c on c.position = audience.position join users u on u.account_id = c.account_id
    where c.account_id = audience.account_id and ${isReplyWantedInList('c', AUDIENCE_ATTRIBUTES)} and ${isNew(LIST_FEED, 'c.id')}`,
})

/** A status with one of its sources of readers. `tagId`: for the followers of a hashtag. */
interface Audience {
  status: FannedOutStatus
  tagId?: string
}

/**
 * Effect: adds statuses to the home feeds of their authors, of the authors' followers and of the followers of their
 * hashtags, and to the feeds of lists with the authors, and publishes them to their streams unless staff restored them.
 * Can be repeated: entries are unique, and a stream sends a status only once.
 */
export async function fanOutStatuses(
  ctx: Ctx,
  payloads: readonly { statusId: string; reblogId?: string }[],
): Promise<void> {
  const ids = new Set(payloads.map(({ statusId, reblogId }) => reblogId ?? statusId))
  await addStatuses(ctx, { ids: [...ids], isEdit: false })
}

/**
 * Adds an edited status to the feeds of the readers who get its present version, unless a feed contains a reblog of it
 * or only newer statuses, and publishes nothing. Can be repeated.
 */
export async function fanOutEditedStatus(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await addStatuses(ctx, { ids: [statusId], isEdit: true })
}

async function addStatuses(ctx: Ctx, { ids, isEdit }: { ids: readonly string[]; isEdit: boolean }): Promise<void> {
  for (const statuses of withoutRepetitions(await load(ctx.db, { ids, isEdit }))) {
    const audiences = statuses.map((status) => ({ status }))
    await addToFeeds(ctx, { kind: HOME_FEED, write: fanOutToFollowers, audiences, isEdit })
    const tagged = statuses.flatMap((status) => status.followed_tag_ids.map((tagId) => ({ status, tagId })))
    await addToFeeds(ctx, { kind: HOME_FEED, write: fanOutToTagFollowers, audiences: tagged, isEdit })
    const listed = audiences.filter(({ status }) => status.is_listed)
    await addToFeeds(ctx, { kind: LIST_FEED, write: fanOutToLists, audiences: listed, isEdit })
  }
}

/**
 * Splits the statuses into sets in which no original occurs twice, in order: whether a feed gets a reblog depends on
 * the statuses before it.
 */
function withoutRepetitions(statuses: readonly FannedOutStatus[]): FannedOutStatus[][] {
  const occurrences = new Map<string, number>()
  const sets: FannedOutStatus[][] = []
  for (const status of statuses) {
    const earlier = occurrences.get(status.original_id) ?? 0
    occurrences.set(status.original_id, earlier + 1)
    ;(sets[earlier] ??= []).push(status)
  }
  return sets
}

async function addToFeeds(
  ctx: Ctx,
  {
    kind,
    write,
    audiences,
    isEdit,
  }: {
    kind: FeedKind
    write: Statement<{ params: FanOutParameters; row: ReachedFeeds }>
    audiences: readonly Audience[]
    isEdit: boolean
  },
): Promise<void> {
  const reblogs = audiences.flatMap(({ status: { id, original_id: originalId, avoids_repetition: isChecked } }) =>
    isChecked ? [{ id, originalId }] : [],
  )
  const { feeds, tooMany } = await findFeedsContaining(ctx, { kind, reblogs })
  await processInRounds(audiences, {
    roundSize: ROUND_SIZE,
    async process(sets, limit) {
      const reached = await ctx.write((tx) =>
        write(tx.db, {
          statusIds: sets.map(({ item }) => item.status.id),
          tagIds: sets.map(({ item }) => item.tagId ?? null),
          cursors: sets.map(({ cursor }) => cursor),
          isEdit,
          isExcluded: sets.map(({ item }) => item.status.is_excluded),
          searchesFeeds: sets.map(({ item }) => tooMany.has(item.status.id)),
          reblogIds: feeds.map(({ reblogId }) => reblogId),
          feedIds: feeds.map(({ feedId }) => feedId),
          limit,
        }),
      )
      await Promise.all(
        reached.map(async ({ position, feed_ids: feedIds }) => {
          const { status } = sets[position - 1]!.item
          if (status.is_published && feedIds.length > 0)
            await publishToFeeds(ctx, { kind, statusId: status.id, feedIds })
        }),
      )
      return reached
    },
  })
}

async function publishToFeeds(
  { bus }: Ctx,
  { kind, statusId, feedIds }: { kind: FeedKind; statusId: string; feedIds: string[] },
): Promise<void> {
  if (kind === LIST_FEED) await publishToLists(bus, { statusId, listIds: feedIds })
  else await publishToHomes(bus, { event: 'update', statusId, accountIds: feedIds })
}
