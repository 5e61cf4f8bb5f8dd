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
}

/** What `presentPoll` needs of the poll `p`, as JSON. */
const FACTS = `jsonb_build_object('id', p.id::text, 'account_id', p.account_id::text, 'options', p.options,
     'tallies', p.tallies, 'multiple', p.multiple, 'hide_totals', p.hide_totals, 'votes_count', p.votes_count,
     'voters_count', p.voters_count, 'expires_at', p.expires_at,
     'expired', p.ended_at is not null or coalesce(p.expires_at <= now(), false))`

/** The poll of the status in `column`, as JSON for `presentPoll`; null where there is none. */
export function pollOf(column: string): string {
  return `(select ${FACTS} from polls p where p.status_id = ${column})`
}

/** What an account chose in the poll of the status in `column`, in order, as JSON; null: nothing, or there is no poll. */
export function choicesOf(column: string, account: string): string {
  return `(select jsonb_agg(v.choice order by v.choice) from polls p join poll_votes v on v.poll_id = p.id
    where p.status_id = ${column} and v.account_id = ${account}::bigint)`
}

const find = statement<{ poll: PollFacts; emojis: EmojiFacts[] | null; choices: number[] | null }>(
  `select ${FACTS} as poll, ${emojisOf('s.emoji_ids')} as emojis, ${choicesOf('s.id', '$2')} as choices
   from polls p join statuses s on s.id = p.status_id where p.id = $1`,
)

/** A poll as this viewer sees it; null = anonymous. Whether they may see it has been decided before. @throws NotFound */
export async function renderPoll(read: Read, { id, viewerId }: { id: string; viewerId: string | null }): Promise<Poll> {
  const [row] = await find(read.db, [id, viewerId])
  if (!row) throw new NotFound()
  return presentPoll(read.config, { ...row, viewerId })
}

/** A poll as this viewer sees it; null = anonymous. `emojis`: those of its status; `choices`: the viewer's own. */
export function presentPoll(
  config: Config,
  {
    poll,
    emojis,
    viewerId,
    choices,
  }: { poll: PollFacts; emojis: readonly EmojiFacts[] | null; viewerId: string | null; choices: number[] | null },
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
    ...(viewerId === null ? {} : presentOwn(poll, { viewerId, choices: choices ?? [] })),
  }
}

/** Nobody votes in their own poll, and it is shown to them as if they had. */
function presentOwn(
  { account_id }: PollFacts,
  { viewerId, choices }: { viewerId: string; choices: number[] },
): Pick<Poll, 'voted' | 'own_votes'> {
  return { voted: viewerId === account_id || choices.length > 0, own_votes: choices }
}
