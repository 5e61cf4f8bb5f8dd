import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { normalizeHashtag } from '../../lib/text/entities/normalize-hashtag.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { normalizeLinkUrl } from '../cards/link-status.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

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

interface Review {
  params: { id: string; trendable: boolean; now: Date }
  /** `label`: the subject in words. `unchanged`: the previous review had the same result. */
  row: { label: string; unchanged: boolean }
}

// Only public statuses can trend, so the staff can review, and see, no other ones.
const REVIEW = {
  tag: statement<Review>(
    `with old as (select id, trendable from tags where id = $id for no key update)
     update tags t set trendable = $trendable, reviewed_at = $now from old where t.id = old.id
     returning t.name as label, old.trendable is not distinct from $trendable as unchanged`,
  ),
  status: statement<Review>(
    `with subject as (
       select s.id, s.url, r.trendable from statuses s left join status_trend_reviews r on r.status_id = s.id
       where s.id = $id and s.deleted_at is null and s.visibility = 'public'
     ), review as (
       insert into status_trend_reviews (status_id, trendable, reviewed_at) select id, $trendable, $now from subject
       on conflict (status_id) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at
     )
     select url as label, trendable is not distinct from $trendable as unchanged from subject`,
  ),
  link: statement<Review>(
    `with old as (select id, trendable from preview_cards where id = $id and $now::timestamptz is not null for no key update)
     update preview_cards c set trendable = $trendable from old where c.id = old.id
     returning c.url as label, old.trendable is not distinct from $trendable as unchanged`,
  ),
  publisher: statement<Review>(
    `with old as (select id, trendable from preview_card_providers where id = $id for no key update)
     update preview_card_providers p set trendable = $trendable, reviewed_at = $now from old where p.id = old.id
     returning p.domain as label, old.trendable is not distinct from $trendable as unchanged`,
  ),
} satisfies Record<TrendKind, unknown>

const AUDIT_TARGETS = {
  tag: 'tag',
  status: 'status',
  link: 'preview_card',
  publisher: 'preview_card_provider',
} as const satisfies Record<TrendKind, string>

type TrendSubject = { kind: TrendKind; id: string; by: Actor }

/** Approves a subject, so that it can trend now and in the future. @throws NotFoundError */
export async function approveTrend(tx: Tx, subject: TrendSubject): Promise<void> {
  await reviewTrend(tx, subject, true)
}

/** Rejects a subject: it does not trend any more, with immediate effect. @throws NotFoundError */
export async function rejectTrend(tx: Tx, subject: TrendSubject): Promise<void> {
  await reviewTrend(tx, subject, false)
}

async function reviewTrend(tx: Tx, { kind, id, by }: TrendSubject, trendable: boolean): Promise<void> {
  const [review] = await REVIEW[kind](tx.db, { id, trendable, now: tx.now })
  if (!review) throw new NotFoundError()
  if (review.unchanged) return
  const action = trendable ? 'approve' : 'reject'
  await recordAuditEntry(tx, { by, action, targetType: AUDIT_TARGETS[kind], targetId: id, label: review.label })
}
