import { Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { Viewer } from '../auth/viewer.ts'
import type { CachedRead, Read } from '../context.ts'
import { readChosen } from '../settings.ts'
import type { Origin } from './public.ts'

/** Who may read a public timeline: everybody, those who are logged in, or nobody but those whose role lets them. */
export const FEED_ACCESS = ['public', 'authenticated', 'disabled'] as const
export type FeedAccess = (typeof FEED_ACCESS)[number]

/** `live`: everything public; `topic`: what is public with a hashtag. */
export type FeedSubject = 'live' | 'topic'
export type FeedSide = 'local' | 'remote'

/** What holds for the statuses of here and for those of elsewhere. */
export type FeedAccesses = Record<FeedSide, FeedAccess>

/** Of a role: everything, and reading timelines that are switched off. */
const ADMINISTRATOR = 1n << 0n
const VIEW_FEEDS = 1n << 20n

/** Under which the owner's choice is kept. */
export function feedAccessSetting(side: FeedSide, subject: FeedSubject): string {
  return `${side}_${subject}_feed_access`
}

const findPermissions = statement<{ params: { roleId: string }; row: { permissions: string } }>(
  `select permissions from roles where id = $roleId`,
)

/** What each role allows, by its id. There are few. */
const cache = new Cache<bigint>({
  maxBytes: 64 * 1024,
  isInvalidated: (invalidations, { since }) => invalidations.isEverythingInvalidated(since),
})
const ENTRY_BYTES = 100

/** Who may read the public timelines about a subject. */
export async function readFeedAccess(read: Read, { subject }: { subject: FeedSubject }): Promise<FeedAccesses> {
  const chosen = await readChosen(read)
  const of = (side: FeedSide): FeedAccess => {
    const value = chosen.get(feedAccessSetting(side, subject))
    return FEED_ACCESS.find((one) => one === value) ?? 'public'
  }
  return { local: of('local'), remote: of('remote') }
}

/**
 * Of the timeline that somebody asks for (null = anonymous), the part that they may read; null: none of it.
 * @throws Unprocessable for somebody unknown, where any part of it is not for everybody
 */
export async function allowedOrigin(
  read: CachedRead,
  { viewer, subject, origin }: { viewer: Viewer | null; subject: FeedSubject; origin: Origin },
): Promise<Origin | null> {
  const access = await readFeedAccess(read, { subject })
  const sides: FeedSide[] = origin === 'all' ? ['local', 'remote'] : [origin]
  if (sides.every((side) => access[side] === 'public')) return origin
  if (!viewer) throw new Unprocessable('This method requires an authenticated user')
  if (sides.every((side) => access[side] !== 'disabled') || (await mayViewFeeds(read, viewer))) return origin
  return sides.find((side) => access[side] !== 'disabled') ?? null
}

async function mayViewFeeds({ db, invalidations }: CachedRead, { roleId }: Viewer): Promise<boolean> {
  let permissions = cache.get(invalidations, roleId)
  if (permissions === undefined) {
    const since = invalidations.epoch
    const [role] = await findPermissions(db, { roleId })
    permissions = BigInt(role?.permissions ?? 0)
    cache.set(invalidations, roleId, { value: permissions, since, bytes: ENTRY_BYTES })
  }
  return (permissions & (ADMINISTRATOR | VIEW_FEEDS)) !== 0n
}

/**
 * Whether the timelines that the status `s` is in are not switched off for a viewer, as SQL. `viewer` is an expression
 * for their id.
 */
export function isOpenFor(viewer: string, subject: FeedSubject): string {
  return `(not exists (select from settings where value = '"disabled"'
      and name = case when s.local then '${feedAccessSetting('local', subject)}' else '${feedAccessSetting('remote', subject)}' end)
    or ${viewer} in (select u.account_id from users u join roles r on r.id = u.role_id
      where r.permissions & ${ADMINISTRATOR | VIEW_FEEDS} <> 0))`
}
