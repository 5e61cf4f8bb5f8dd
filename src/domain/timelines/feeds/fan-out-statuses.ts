import { statement } from '../../../platform/db/statement.ts'
import { isUniqueViolation } from '../../../platform/db/connection.ts'
import type { Ctx } from '../../context.ts'
import { processInRounds } from '../../core/process-in-rounds.ts'
import { publishToHomes, publishToLists } from '../../core/stream-topics.ts'
import { STORED_ATTRIBUTES } from '../../access/feed-eligibility.ts'
import { FOLLOWED_TAG_IDS, isThreadKnown } from './audience.ts'
import { findFeedsContaining, HOME_FEED, LIST_FEED } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'
import { fanOutNewToFollowers, fanOutToFollowers, fanOutToLists, fanOutToTagFollowers } from './fan-out-statements.ts'
import type { FanOutParameters, FanOutStatement, ReachedFeeds } from './fan-out-statements.ts'

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
    const first = isEdit ? fanOutToFollowers : fanOutNewToFollowers
    await addToFeeds(ctx, { kind: HOME_FEED, first, write: fanOutToFollowers, audiences, isEdit })
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
    first = write,
    audiences,
    isEdit,
  }: {
    kind: FeedKind
    write: FanOutStatement
    /** Tried before `write`, which follows if a feed contains one of the statuses already. */
    first?: FanOutStatement
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
      const parameters: FanOutParameters = {
        statusIds: sets.map(({ item }) => item.status.id),
        tagIds: sets.map(({ item }) => item.tagId ?? null),
        cursors: sets.map(({ cursor }) => cursor),
        isEdit,
        isExcluded: sets.map(({ item }) => item.status.is_excluded),
        searchesFeeds: sets.map(({ item }) => tooMany.has(item.status.id)),
        reblogIds: feeds.map(({ reblogId }) => reblogId),
        feedIds: feeds.map(({ feedId }) => feedId),
        limit,
      }
      const reached = await addEntries(ctx, { first, write, parameters })
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

async function addEntries(
  ctx: Ctx,
  { first, write, parameters }: { first: FanOutStatement; write: FanOutStatement; parameters: FanOutParameters },
): Promise<ReachedFeeds[]> {
  try {
    return await ctx.write((tx) => first(tx.db, parameters))
  } catch (err) {
    if (!isUniqueViolation(err)) throw err
    return ctx.write((tx) => write(tx.db, parameters))
  }
}

async function publishToFeeds(
  { bus }: Ctx,
  { kind, statusId, feedIds }: { kind: FeedKind; statusId: string; feedIds: string[] },
): Promise<void> {
  if (kind === LIST_FEED) await publishToLists(bus, { statusId, listIds: feedIds })
  else await publishToHomes(bus, { event: 'update', statusId, accountIds: feedIds })
}
