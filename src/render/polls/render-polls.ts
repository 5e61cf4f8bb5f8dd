import { choicesOf } from '../../domain/access/viewer-states.ts'
import type { Read } from '../../domain/context.ts'
import type { Poll, PollForViewer } from '../../entities/statuses/poll.ts'
import { entity } from '../../lib/json/entity-json.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { emojisOf, renderCustomEmojis } from '../emojis/render-emojis.ts'
import type { EmojiRow } from '../emojis/render-emojis.ts'

export interface PollRow {
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

/** An SQL expression with the `PollRow` of the poll `p` as JSON. */
const POLL_JSON = `jsonb_build_object('id', p.id::text, 'account_id', p.account_id::text, 'options', p.options,
     'tallies', p.tallies, 'multiple', p.multiple, 'hide_totals', p.hide_totals, 'votes_count', p.votes_count,
     'voters_count', p.voters_count, 'expires_at', p.expires_at,
     'expired', p.ended_at is not null or coalesce(p.expires_at <= now(), false))`

/** Returns an SQL expression with the `PollRow` of the status in `column` as JSON; null for none. */
export function pollOf(column: string): string {
  return `(select ${POLL_JSON} from polls p where p.status_id = ${column})`
}

const select = statement<{
  params: { id: string; viewerId: string | null }
  row: { poll: PollRow; emojis: EmojiRow[] | null; choices: number[] | null }
}>(
  `select ${POLL_JSON} as poll, ${emojisOf('s.emoji_ids')} as emojis, ${choicesOf('s.id', '$viewerId')} as choices
   from polls p join statuses s on s.id = p.status_id where p.id = $id`,
)

/** Returns a poll for a viewer, null for anonymous. The caller has checked its visibility. @throws NotFoundError */
export async function renderPoll(read: Read, { id, viewerId }: { id: string; viewerId: string | null }): Promise<Poll> {
  const [row] = await select(read.db, { id, viewerId })
  if (!row) throw new NotFoundError()
  return pollForViewer(read.config, { ...row, viewerId })
}

/** Returns a poll for a viewer, null for anonymous. `emojis`: those of its status. `choices`: those of the viewer. */
export function pollForViewer(
  config: Config,
  {
    poll,
    emojis,
    viewerId,
    choices,
  }: { poll: PollRow; emojis: readonly EmojiRow[] | null; viewerId: string | null; choices: number[] | null },
): Poll {
  const { options, tallies, expired, expires_at } = poll
  const hidden = poll.hide_totals && !expired
  const used = (emojis ?? []).filter(({ shortcode }) => options.some((text) => text.includes(`:${shortcode}:`)))
  return entity<Poll>({
    id: poll.id,
    expires_at: expires_at === null ? null : new Date(expires_at).toISOString(),
    expired,
    multiple: poll.multiple,
    votes_count: poll.votes_count,
    voters_count: poll.voters_count,
    options: options.map((title, n) => ({ title, votes_count: hidden ? null : (tallies[n] ?? 0) })),
    emojis: renderCustomEmojis(config, used),
    ...voteOf(poll, { viewerId, choices: choices ?? [] }),
  })
}

/** Authors cannot vote in their own polls, but `voted` is true for them, so that clients show the results. */
function voteOf(
  { account_id }: PollRow,
  { viewerId, choices }: { viewerId: string | null; choices: number[] },
): Complete<PollForViewer> & PollForViewer {
  if (viewerId === null) return { voted: undefined, own_votes: undefined }
  return { voted: viewerId === account_id || choices.length > 0, own_votes: choices }
}
