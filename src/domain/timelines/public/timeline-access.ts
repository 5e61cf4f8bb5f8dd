import { UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { Cache } from '../../../platform/db/cache.ts'
import type { Viewer } from '../../auth/viewer.ts'
import type { CachedRead, Read } from '../../context.ts'
import { hasPermission, permissionBit } from '../../access/permissions.ts'
import { readStoredSettings } from '../../core/settings-store.ts'
import type { Origin } from './read-public-timeline.ts'

/**
 * Access to a public timeline: for everyone, for logged-in users, or only for roles that may view disabled timelines.
 */
export const TIMELINE_ACCESS = ['public', 'authenticated', 'disabled'] as const
export type TimelineAccess = (typeof TIMELINE_ACCESS)[number]

/** `live`: the public timeline; `topic`: hashtag timelines. */
export type TimelineSubject = 'live' | 'topic'
export type TimelineOrigin = 'local' | 'remote'

/** The access to local and to remote statuses. */
export type TimelineAccesses = Record<TimelineOrigin, TimelineAccess>

/** Returns the name of the setting that stores the access. */
export function timelineAccessSetting(side: TimelineOrigin, subject: TimelineSubject): string {
  return `${side}_${subject}_feed_access`
}

const findPermissions = statement<{ params: { roleId: string }; row: { permissions: string } }>(
  `select permissions from roles where id = $roleId`,
)

/** The permissions of each role by its id. */
const cache = new Cache<bigint>({
  isInvalidated: (invalidations, { since }) => invalidations.isEverythingInvalidated(since),
})
const ENTRY_BYTES = 100

/**
 * Returns the access of clients to the public timeline or to hashtag timelines. Nothing is public where unauthenticated
 * access is disallowed.
 */
export async function readTimelineAccess(
  read: Read,
  { subject }: { subject: TimelineSubject },
): Promise<TimelineAccesses> {
  const { local, remote } = await readChosenTimelineAccess(read, { subject })
  const effective = (access: TimelineAccess) =>
    access === 'public' && read.config.access.disallowUnauthenticatedAccess ? 'authenticated' : access
  return { local: effective(local), remote: effective(remote) }
}

/** Returns the access that the administrators chose, which applies to other servers. */
export async function readChosenTimelineAccess(
  read: Read,
  { subject }: { subject: TimelineSubject },
): Promise<TimelineAccesses> {
  const chosen = await readStoredSettings(read)
  const accessOf = (side: TimelineOrigin): TimelineAccess => {
    const value = chosen.get(timelineAccessSetting(side, subject))
    return TIMELINE_ACCESS.find((one) => one === value) ?? 'public'
  }
  return { local: accessOf('local'), remote: accessOf('remote') }
}

/** Returns whether a page may show a timeline to its reader. Null: a reader who is not logged in. */
export function isTimelineShownTo(viewer: Viewer | null, access: TimelineAccess): boolean {
  return access === 'public' || (access === 'authenticated' && viewer?.accountState === 'usable')
}

/**
 * Returns the part of the requested timeline that the viewer (null = anonymous) may read; null if none.
 * @throws UnprocessableError for an anonymous request if any part of the timeline is not public
 */
export async function allowedOrigin(
  read: CachedRead,
  { viewer, subject, origin }: { viewer: Viewer | null; subject: TimelineSubject; origin: Origin },
): Promise<Origin | null> {
  const access = await readTimelineAccess(read, { subject })
  const sides: TimelineOrigin[] = origin === 'all' ? ['local', 'remote'] : [origin]
  if (sides.every((side) => access[side] === 'public')) return origin
  if (!viewer) throw new UnprocessableError('This method requires an authenticated user')
  if (sides.every((side) => access[side] !== 'disabled') || (await canViewDisabledTimelines(read, viewer)))
    return origin
  return sides.find((side) => access[side] !== 'disabled') ?? null
}

async function canViewDisabledTimelines({ db, invalidations }: CachedRead, { roleId }: Viewer): Promise<boolean> {
  let permissions = cache.get(invalidations, roleId)
  if (permissions === undefined) {
    const since = invalidations.epoch
    const [role] = await findPermissions(db, { roleId })
    permissions = BigInt(role?.permissions ?? 0)
    cache.set(invalidations, roleId, { value: permissions, since, bytes: ENTRY_BYTES })
  }
  return hasPermission(permissions, 'viewFeeds')
}

/**
 * SQL condition: the timelines that contain the status `s` are not disabled for a viewer. `viewer`: an SQL expression
 * for the account id.
 */
export function isTimelineEnabledFor(viewer: string, subject: TimelineSubject): string {
  return `(not exists (select from settings where value = '"disabled"'
      and name = case when s.local then '${timelineAccessSetting('local', subject)}' else '${timelineAccessSetting('remote', subject)}' end)
    or ${viewer} in (select u.account_id from users u join roles r on r.id = u.role_id
      where r.permissions & ${permissionBit('administrator') | permissionBit('viewFeeds')} <> 0))`
}
