import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import { isOwnTalk } from '../statuses/own-talk.ts'
import { NOBODY, visibleTo } from '../statuses/visibility.ts'
import { pageClause, pageParameters, readPaged } from './page.ts'
import type { PageParameters } from './page.ts'

const page = pageClause('s.id')

/** What a public timeline holds at all: no boosts, no replies to others, nobody who is limited. */
export const IN_PUBLIC = `s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null
  and ${isOwnTalk()}
  and not exists (select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null)`

/** What a viewer does not want to see in a public timeline. `viewer` is SQL: a parameter or a column. */
export function wantedBy(viewer: string): string {
  return `(${viewer}::bigint is null or (
  not exists (select from blocks b where b.account_id = ${viewer} and b.target_account_id = s.account_id)
  and not exists (select from mutes m where m.account_id = ${viewer} and m.target_account_id = s.account_id
    and (m.expires_at is null or m.expires_at > now()))
  and (s.local or not ${blocksDomainOfId(viewer, 's.account_id')})))`
}

/**
 * Whether somebody reads the language of the status `s`: one that they chose, also as it is said in some region. Whoever
 * chose none reads all; a status may not say its own. `viewer` is SQL: a parameter or a column.
 */
export function isReadBy(viewer: string): string {
  const chosen = `(select nullif(u.chosen_languages, '{}') from users u where u.account_id = ${viewer})`
  return `(s.language is null or coalesce(array[s.language, split_part(s.language, '-', 1)] && ${chosen}, true))`
}

/** Whether a picture, a sound or a film hangs on the status `s`. */
export const HAS_MEDIA =
  'exists (select from media_attachments ma where ma.status_id = s.id and ma.withdrawn_at is null)'

/** The condition on the status `s` for each. */
export const ORIGIN = { all: '', local: 'and s.local', remote: 'and not s.local' } as const

/** Where statuses were written: anywhere, here, or elsewhere. */
export type Origin = keyof typeof ORIGIN

type Variant = { origin: Origin; onlyMedia: boolean; viewer: '$viewerId' | typeof NOBODY }

function select({ origin, onlyMedia, viewer }: Variant, order: string) {
  const forViewer = viewer === NOBODY ? '$viewerId::bigint is null' : `${wantedBy(viewer)} and ${isReadBy(viewer)}`
  return statement<{ params: { viewerId: string | null } & PageParameters; row: { id: string } }>(
    `select s.id from statuses s
     where ${IN_PUBLIC} ${ORIGIN[origin]} ${onlyMedia ? `and ${HAS_MEDIA}` : ''}
       and ${page.where} and ${visibleTo(viewer)} and ${forViewer} ${order}`,
  )
}

// One text for each variant: a condition that is a parameter would keep the planner from the partial indexes.
const statements = new Map(
  (['all', 'local', 'remote'] as const).flatMap((origin) =>
    [true, false].flatMap((onlyMedia) =>
      (['$viewerId', NOBODY] as const).map((viewer) => [
        `${origin}.${onlyMedia}.${viewer}`,
        {
          descending: select({ origin, onlyMedia, viewer }, page.descending),
          ascending: select({ origin, onlyMedia, viewer }, page.ascending),
        },
      ]),
    ),
  ),
)

/** A page of the public timeline, as this viewer sees it (null = anonymous): ids, newest first. */
export async function readPublicTimeline(
  read: Read,
  {
    viewerId,
    page: asked,
    origin = 'all',
    onlyMedia = false,
  }: { viewerId: string | null; page: Page; origin?: Origin; onlyMedia?: boolean },
): Promise<string[]> {
  const { descending, ascending } = statements.get(
    `${origin}.${onlyMedia}.${viewerId === null ? NOBODY : '$viewerId'}`,
  )!
  const values = { viewerId, ...pageParameters(asked) }
  const rows = await readPaged(asked, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
  return rows.map((row) => row.id)
}
