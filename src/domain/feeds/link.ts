import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { addressOf } from '../cards/link.ts'
import type { Read } from '../context.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { LINK_TRENDS, LINK_VERDICT } from '../trends/eligible.ts'
import { readTrendsSettings } from '../trends/settings.ts'
import { pageClause, pageParameters, readPaged } from './page.ts'
import type { PageParameters } from './page.ts'
import { isReadBy, ORIGIN, wantedBy } from './public.ts'
import type { Origin } from './public.ts'

// The URL is that of a status or that of the page itself; unreviewed links are an option of the administrators.
const findCard = statement<{ params: { url: string | null; unreviewed: boolean }; row: { id: string } }>(
  `select c.id from trending_links tl join preview_cards c on c.id = tl.card_id
     left join publishers p on p.id = tl.publisher_id
   where c.id = any(array(
       select id from preview_cards where url = $url union select card_id from links where url = $url))
     and ${LINK_TRENDS} and coalesce(${LINK_VERDICT}, $unreviewed)
   order by c.url = $url desc limit 1`,
)

/**
 * The card of a page that trends, by any address under which people link to it.
 * @throws NotFound for every other page
 */
export async function findTrendingCard(read: Read, { url }: { url: string }): Promise<string> {
  const { enabled, unreviewed } = await readTrendsSettings(read)
  const [card] = enabled ? await findCard(read.db, { url: addressOf(url), unreviewed }) : []
  if (!card) throw new NotFound()
  return card.id
}

const page = pageClause('sl.status_id')

function select(origin: Origin, direction: 'descending' | 'ascending') {
  return statement<{ params: { viewerId: string | null; cardId: string } & PageParameters; row: { id: string } }>(
    `select sl.status_id as id from status_links sl join statuses s on s.id = sl.status_id
     where sl.card_id = $cardId and ${page.where}
       and s.visibility = 'public' and s.reblog_of_id is null ${ORIGIN[origin]}
       and exists (select from accounts a where a.id = s.account_id and a.discoverable and a.silenced_at is null)
       and ${visibleTo('$viewerId')} and ${wantedBy('$viewerId')} and ${isReadBy('$viewerId')}
     ${page[direction]}`,
  )
}

const statements = {
  all: { descending: select('all', 'descending'), ascending: select('all', 'ascending') },
  local: { descending: select('local', 'descending'), ascending: select('local', 'ascending') },
  remote: { descending: select('remote', 'descending'), ascending: select('remote', 'ascending') },
}

/**
 * A page of the public statuses that link to something, by people who want to be discovered, as this viewer sees them:
 * ids, newest first.
 */
export async function readLinkTimeline(
  read: Read,
  input: { viewerId: string | null; page: Page; cardId: string; origin: Origin },
): Promise<string[]> {
  const { descending, ascending } = statements[input.origin]
  const values = { viewerId: input.viewerId, ...pageParameters(input.page), cardId: input.cardId }
  const rows = await readPaged(input.page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
  return rows.map((row) => row.id)
}
