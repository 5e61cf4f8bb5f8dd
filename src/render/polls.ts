import type { Poll } from '../entities/poll.ts'
import type { Config } from '../platform/config.ts'
import { presentEmojis } from './emojis.ts'
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
}

/** The poll of the status in `column`, as JSON for `presentPoll`; null where there is none. */
export function pollOf(column: string): string {
  return `(select jsonb_build_object('id', p.id::text, 'account_id', p.account_id::text, 'options', p.options,
     'tallies', p.tallies, 'multiple', p.multiple, 'hide_totals', p.hide_totals, 'votes_count', p.votes_count,
     'voters_count', p.voters_count, 'expires_at', p.expires_at, 'expired', coalesce(p.expires_at <= now(), false))
   from polls p where p.status_id = ${column})`
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
    ...(viewerId === null ? {} : { voted: viewerId === poll.account_id, own_votes: [] }),
  }
}
