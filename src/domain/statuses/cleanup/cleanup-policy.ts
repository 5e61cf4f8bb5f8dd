import { ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'

/** The ages that users can choose, in seconds: from a week to two years. They are those of Mastodon. */
export const MIN_AGES = [
  604_800, 1_209_600, 2_629_746, 5_259_492, 7_889_238, 15_778_476, 31_556_952, 63_113_904,
] as const

const TWO_WEEKS_SECONDS = 1_209_600

/** The highest threshold that the database can store. */
const MAX_THRESHOLD = 2_147_483_647

/** Which of a user's own posts and boosts are deleted automatically (Mastodon: /statuses_cleanup). */
export interface CleanupPolicy {
  enabled: boolean
  /** One of `MIN_AGES`. */
  minAgeSeconds: number
  keepPinned: boolean
  keepDirect: boolean
  /** Whether posts that the user has favourited are kept. */
  keepFavourited: boolean
  /** Whether posts that the user has bookmarked are kept. */
  keepBookmarked: boolean
  keepPolls: boolean
  keepMedia: boolean
  /** Posts with at least as many favourites are kept; null: regardless of favourites. */
  minFavourites: number | null
  /** Posts with at least as many boosts are kept; null: regardless of boosts. */
  minReblogs: number | null
}

/** The policy of a user who has not chosen one. */
const DEFAULT_POLICY: Readonly<CleanupPolicy> = {
  enabled: false,
  minAgeSeconds: TWO_WEEKS_SECONDS,
  keepPinned: true,
  keepDirect: true,
  keepFavourited: true,
  keepBookmarked: true,
  keepPolls: false,
  keepMedia: false,
  minFavourites: null,
  minReblogs: null,
}

const find = statement<{ params: { userId: string }; row: CleanupPolicy }>(
  `select enabled, min_age_seconds as "minAgeSeconds", keep_pinned as "keepPinned", keep_direct as "keepDirect",
     keep_favourited as "keepFavourited", keep_bookmarked as "keepBookmarked", keep_polls as "keepPolls",
     keep_media as "keepMedia", min_favourites as "minFavourites", min_reblogs as "minReblogs"
   from status_cleanup_policies where user_id = $userId`,
)
// Posts that the former policy has kept may be eligible now, so a new pass begins.
const save = statement<{ params: { userId: string; now: Date } & CleanupPolicy }>(
  `insert into status_cleanup_policies (user_id, enabled, min_age_seconds, keep_pinned, keep_direct, keep_favourited,
     keep_bookmarked, keep_polls, keep_media, min_favourites, min_reblogs, pass_started_at, due_at)
   values ($userId, $enabled, $minAgeSeconds, $keepPinned, $keepDirect, $keepFavourited, $keepBookmarked, $keepPolls,
     $keepMedia, $minFavourites, $minReblogs, $now, $now)
   on conflict (user_id) do update set enabled = excluded.enabled, min_age_seconds = excluded.min_age_seconds,
     keep_pinned = excluded.keep_pinned, keep_direct = excluded.keep_direct, keep_favourited = excluded.keep_favourited,
     keep_bookmarked = excluded.keep_bookmarked, keep_polls = excluded.keep_polls, keep_media = excluded.keep_media,
     min_favourites = excluded.min_favourites, min_reblogs = excluded.min_reblogs,
     pass_started_at = excluded.pass_started_at, examined_until = null, due_at = excluded.due_at`,
)

/** Returns the policy of a user for the automated deletion of posts. */
export async function readCleanupPolicy(
  { db }: Pick<Read, 'db'>,
  { userId }: { userId: string },
): Promise<CleanupPolicy> {
  const [row] = await find(db, { userId })
  return row ?? DEFAULT_POLICY
}

/**
 * Replaces the policy of a user for the automated deletion of posts, from the next run on.
 * @throws ValidationError for an unknown age and for a threshold that is not positive
 */
export async function saveCleanupPolicy(
  tx: Tx,
  { userId, policy }: { userId: string; policy: CleanupPolicy },
): Promise<void> {
  const isThreshold = (value: number | null) =>
    value === null || (Number.isInteger(value) && value > 0 && value <= MAX_THRESHOLD)
  const invalid = (attribute: string) => ({ attribute, code: 'ERR_INVALID', text: 'is invalid' }) as const
  const problems = [
    ...(MIN_AGES.some((age) => age === policy.minAgeSeconds) ? [] : [invalid('min_age')]),
    ...(isThreshold(policy.minFavourites) ? [] : [invalid('min_favourites')]),
    ...(isThreshold(policy.minReblogs) ? [] : [invalid('min_reblogs')]),
  ]
  if (problems.length > 0) throw new ValidationError(problems)
  await save(tx.db, { userId, now: tx.now, ...policy })
}
