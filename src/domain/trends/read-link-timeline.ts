import { NotFoundError } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { normalizeLinkUrl } from '../cards/link-status.ts'
import type { Read } from '../context.ts'
import { visibleTo } from '../access/visibility.ts'
import { IS_LINK_TRENDING, LINK_REVIEW } from './trend-eligibility.ts'
import { readTrendsSettings } from './read-trends-settings.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { isInChosenLanguage, ORIGIN, isNotHiddenFrom } from '../timelines/public/read-public-timeline.ts'
import type { Origin } from '../timelines/public/read-public-timeline.ts'

// The URL is that of a status or that of the page itself; unreviewed links are an option of the administrators.
const findCard = statement<{ params: { url: string | null; unreviewed: boolean }; row: { id: string } }>(
  `select c.id from trending_links tl join preview_cards c on c.id = tl.card_id
     left join preview_card_providers p on p.id = tl.publisher_id
   where c.id = any(array(
       select id from preview_cards where url = $url union select card_id from preview_links where url = $url))
     and ${IS_LINK_TRENDING} and coalesce(${LINK_REVIEW}, $unreviewed)
   order by c.url = $url desc limit 1`,
)

/**
 * Returns the id of the card of a trending link, by any URL that leads to it.
 * @throws NotFoundError if no such link trends
 */
export async function findTrendingCard(read: Read, { url }: { url: string }): Promise<string> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  const [card] = enabled ? await findCard(read.db, { url: normalizeLinkUrl(url), unreviewed }) : []
  if (!card) throw new NotFoundError()
  return card.id
}

const keyset = keysetClause('sl.status_id')

function timelineStatement(origin: Origin, direction: 'descending' | 'ascending') {
  return statement<{ params: { viewerId: string | null; cardId: string } & PageParameters; row: { id: string } }>(
    `select sl.status_id as id from status_preview_links sl join statuses s on s.id = sl.status_id
     where sl.card_id = $cardId and ${keyset.where}
       and s.visibility = 'public' and s.reblog_of_id is null ${ORIGIN[origin]}
       and exists (select from accounts a where a.id = s.account_id and a.discoverable and a.silenced_at is null)
       and ${visibleTo('$viewerId')} and ${isNotHiddenFrom('$viewerId')} and ${isInChosenLanguage('$viewerId')}
     ${keyset[direction]}`,
  )
}

const statements = {
  all: { descending: timelineStatement('all', 'descending'), ascending: timelineStatement('all', 'ascending') },
  local: { descending: timelineStatement('local', 'descending'), ascending: timelineStatement('local', 'ascending') },
  remote: {
    descending: timelineStatement('remote', 'descending'),
    ascending: timelineStatement('remote', 'ascending'),
  },
}

/**
 * Returns a page of ids of public statuses with a link, by discoverable authors, as the viewer may see them, newest
 * first.
 * Mastodon: GET /api/v1/timelines/link
 */
export async function readLinkTimeline(
  read: Read,
  input: { viewerId: string | null; page: Page; cardId: string; origin: Origin },
): Promise<string[]> {
  const { descending, ascending } = statements[input.origin]
  const values = { viewerId: input.viewerId, ...pageParameters(input.page), cardId: input.cardId }
  const rows = await readKeysetPage(input.page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
  return rows.map((row) => row.id)
}
