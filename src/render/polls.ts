import type { Read } from '../domain/context.ts'
import type { Poll } from '../entities/poll.ts'
import { NotFound } from '../lib/errors.ts'
import type { Config } from '../platform/config.ts'
import { statement } from '../platform/db/connect.ts'
import { emojisOf, presentEmojis } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'

export interface PollFacts {
  id: string
  account_id: string
  options: string[]
  tallies: number[]
  multiple: boolean
  hide_totals: boolean
  votes_count: number
  voters_count: number | null
  /** ISO 8601. */
  expires_at: string | null
  expired: boolean
  /** Account id → what that viewer chose, in order; null when none of the viewers voted. */
  votes: Record<string, number[]> | null
}

/** What `presentPoll` needs of the poll `p`, as JSON, with the votes of the accounts that `viewers` selects (`= $2`). */
function factsFor(viewers: string): string {
  return `jsonb_build_object('id', p.id::text, 'account_id', p.account_id::text, 'options', p.options,
     'tallies', p.tallies, 'multiple', p.multiple, 'hide_totals', p.hide_totals, 'votes_count', p.votes_count,
     'voters_count', p.voters_count, 'expires_at', p.expires_at,
     'expired', p.ended_at is not null or coalesce(p.expires_at <= now(), false),
     'votes', (select jsonb_object_agg(mine.account_id, mine.choices) from (
        select v.account_id, jsonb_agg(v.choice order by v.choice) as choices from poll_votes v
        where v.poll_id = p.id and v.account_id ${viewers} group by v.account_id) mine))`
}

/**
 * The poll of the status in `column`, as JSON for `presentPoll`, with the votes of the accounts that `viewers` selects
 * (`= $2`); null where there is none.
 */
export function pollOf(column: string, viewers: string): string {
  return `(select ${factsFor(viewers)} from polls p where p.status_id = ${column})`
}

const find = statement<{ poll: PollFacts; emojis: EmojiFacts[] | null }>(
  `select ${factsFor('= $2')} as poll, ${emojisOf('s.emoji_ids')} as emojis
   from polls p join statuses s on s.id = p.status_id where p.id = $1`,
)

/** A poll as this viewer sees it; null = anonymous. Whether they may see it has been decided before. @throws NotFound */
export async function renderPoll(read: Read, { id, viewerId }: { id: string; viewerId: string | null }): Promise<Poll> {
  const [row] = await find(read.db, [id, viewerId])
  if (!row) throw new NotFound()
  return presentPoll(read.config, { ...row, viewerId })
}

/** A poll as this viewer sees it; null = anonymous. `emojis`: those of its status. */
export function presentPoll(
  config: Config,
  { poll, emojis, viewerId }: { poll: PollFacts; emojis: readonly EmojiFacts[] | null; viewerId: string | null },
): Poll {
  const { options, tallies, expired, expires_at } = poll
  const hidden = poll.hide_totals && !expired
  const used = (emojis ?? []).filter(({ shortcode }) => options.some((text) => text.includes(`:${shortcode}:`)))
  return {
    id: poll.id,
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
    expired,
    multiple: poll.multiple,
    votes_count: poll.votes_count,
    voters_count: poll.voters_count,
    options: options.map((title, n) => ({ title, votes_count: hidden ? null : (tallies[n] ?? 0) })),
    emojis: presentEmojis(config, used),
    ...(viewerId === null ? {} : presentOwn(poll, viewerId)),
  }
}

/** Nobody votes in their own poll, and it is shown to them as if they had. */
function presentOwn({ account_id, votes }: PollFacts, viewerId: string): Pick<Poll, 'voted' | 'own_votes'> {
  const choices = votes?.[viewerId] ?? []
  return { voted: viewerId === account_id || choices.length > 0, own_votes: choices }
}
