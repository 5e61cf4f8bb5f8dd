import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { normalizeHashtag } from '../../lib/text/entities/normalize-hashtag.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { normalizeLinkUrl } from '../cards/link-status.ts'
import type { Read, Tx } from '../context.ts'

/**
 * What the staff can approve or reject. The review of a publisher applies to all its links without their own review.
 */
export const TREND_KINDS = ['tag', 'status', 'link', 'publisher'] as const
export type TrendKind = (typeof TREND_KINDS)[number]

type FindSubject = (read: Pick<Read, 'db'>, name: string) => Promise<string | undefined>

const findBy = (text: string, normalize: (name: string) => string | null): FindSubject => {
  const find = statement<{ params: { name: string | null }; row: { id: string } }>(text)
  return async (read, name) => (await find(read.db, { name: normalize(name) }))[0]?.id
}
const idOrNull = (name: string) => (isId(name) ? name : null)

const FIND: Record<TrendKind, FindSubject> = {
  tag: findBy(`select id from tags where name = $name`, (name) => normalizeHashtag(name.replace(/^#/, ''))),
  status: findBy(`select id from statuses where id = $name and deleted_at is null`, idOrNull),
  link: findBy(
    `select id from preview_cards where url = $name union all select card_id from preview_links where url = $name and card_id is not null
     limit 1`,
    normalizeLinkUrl,
  ),
  publisher: findBy(`select id from preview_card_providers where domain = $name`, (name) => canonicalDomain(name)),
}

/**
 * Returns the id of a trend subject: a hashtag by its name, a status by its id, a link by its URL, a publisher by its
 * domain. @throws NotFoundError
 */
export async function findTrendSubject(
  read: Pick<Read, 'db'>,
  { kind, name }: { kind: TrendKind; name: string },
): Promise<string> {
  const id = await FIND[kind](read, name)
  if (id === undefined) throw new NotFoundError(`There is no ${kind} ${name}`)
  return id
}

const REVIEW = {
  tag: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `update tags set trendable = $trendable, reviewed_at = $now where id = $id returning id`,
  ),
  status: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `insert into status_trend_reviews (status_id, trendable, reviewed_at)
     select id, $trendable, $now from statuses where id = $id and deleted_at is null
     on conflict (status_id) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at
     returning status_id as id`,
  ),
  link: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `update preview_cards set trendable = $trendable where id = $id and $now::timestamptz is not null returning id`,
  ),
  publisher: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `update preview_card_providers set trendable = $trendable, reviewed_at = $now where id = $id returning id`,
  ),
} satisfies Record<TrendKind, unknown>

type TrendSubject = { kind: TrendKind; id: string }

/** Approves a subject, so that it can trend now and in the future. @throws NotFoundError */
export async function approveTrend(tx: Tx, subject: TrendSubject): Promise<void> {
  await reviewTrend(tx, subject, true)
}

/** Rejects a subject: it does not trend any more, with immediate effect. @throws NotFoundError */
export async function rejectTrend(tx: Tx, subject: TrendSubject): Promise<void> {
  await reviewTrend(tx, subject, false)
}

async function reviewTrend(tx: Tx, { kind, id }: TrendSubject, trendable: boolean): Promise<void> {
  if ((await REVIEW[kind](tx.db, { id, trendable, now: tx.now })).length === 0)
    throw new NotFoundError(`There is no ${kind} ${id}`)
}
