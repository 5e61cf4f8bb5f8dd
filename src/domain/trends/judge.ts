import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { addressOf } from '../cards/link.ts'
import type { Read, Tx } from '../context.ts'

/** What the staff lets trend, or does not. A publisher stands for all its pages of which nothing else was said. */
export const TREND_KINDS = ['tag', 'status', 'link', 'publisher'] as const
export type TrendKind = (typeof TREND_KINDS)[number]

type Find = (read: Pick<Read, 'db'>, name: string) => Promise<string | undefined>

const by = (text: string, understand: (name: string) => string | null): Find => {
  const find = statement<{ params: { name: string | null }; row: { id: string } }>(text)
  return async (read, name) => (await find(read.db, { name: understand(name) }))[0]?.id
}
const asId = (name: string) => (isId(name) ? name : null)

const FIND: Record<TrendKind, Find> = {
  tag: by(`select id from tags where name = $name`, (name) => normalizeTag(name.replace(/^#/, ''))),
  status: by(`select id from statuses where id = $name and deleted_at is null`, asId),
  link: by(
    `select id from preview_cards where url = $name union all select card_id from links where url = $name and card_id is not null
     limit 1`,
    addressOf,
  ),
  publisher: by(`select id from publishers where domain = $name`, (name) => canonicalDomain(name)),
}

/**
 * The id of what a person calls so: a hashtag by its name, a status by its id, a page by its address, a publisher by its
 * domain. @throws NotFound
 */
export async function findJudged(
  read: Pick<Read, 'db'>,
  { kind, name }: { kind: TrendKind; name: string },
): Promise<string> {
  const id = await FIND[kind](read, name)
  if (id === undefined) throw new NotFound(`There is no ${kind} ${name}`)
  return id
}

const JUDGE = {
  tag: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `update tags set trendable = $trendable, reviewed_at = $now where id = $id returning id`,
  ),
  status: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `insert into reviewed_statuses (status_id, trendable, reviewed_at)
     select id, $trendable, $now from statuses where id = $id and deleted_at is null
     on conflict (status_id) do update set trendable = excluded.trendable, reviewed_at = excluded.reviewed_at
     returning status_id as id`,
  ),
  link: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `update preview_cards set trendable = $trendable where id = $id and $now::timestamptz is not null returning id`,
  ),
  publisher: statement<{ params: { id: string; trendable: boolean; now: Date }; row: { id: string } }>(
    `update publishers set trendable = $trendable, reviewed_at = $now where id = $id returning id`,
  ),
} satisfies Record<TrendKind, unknown>

type Judged = { kind: TrendKind; id: string }

/** Lets something trend, now and whenever enough people take part in it. @throws NotFound */
export async function approveTrend(tx: Tx, judged: Judged): Promise<void> {
  await judge(tx, judged, true)
}

/** Keeps something from trending, and takes it out of what does at once. @throws NotFound */
export async function rejectTrend(tx: Tx, judged: Judged): Promise<void> {
  await judge(tx, judged, false)
}

async function judge(tx: Tx, { kind, id }: Judged, trendable: boolean): Promise<void> {
  if ((await JUDGE[kind](tx.db, { id, trendable, now: tx.now })).length === 0)
    throw new NotFound(`There is no ${kind} ${id}`)
}
