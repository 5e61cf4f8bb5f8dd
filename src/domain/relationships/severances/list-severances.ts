import { NotFoundError } from '../../../lib/errors.ts'
import type { Page } from '../../../lib/page.ts'
import { writeCsv } from '../../../lib/text/csv.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'

/** How many rows one statement reads. */
const BATCH_SIZE = 1_000

/** A block or a suspension by which a user lost follows. */
export interface Severance {
  id: string
  type: 'domain_block' | 'user_domain_block' | 'account_suspension'
  /** The domain, or the handle of the suspended account. */
  targetName: string
  createdAt: Date
  followersCount: number
  followingCount: number
  /** Whether the handles of the followers and of the followed accounts are stored. */
  listsFollowers: boolean
  listsFollowing: boolean
}

const KEYSET = keysetClause('e.id')
const WHERE = `e.account_id = $accountId and ${KEYSET.where}`
const isListed = (condition: string) =>
  `exists (select from severed_relationships r where r.severance_id = e.id and ${condition})`
const COLUMNS = `e.id, e.type, e.target_name as "targetName", e.created_at as "createdAt",
  e.followers_count as "followersCount", e.following_count as "followingCount",
  ${isListed('r.is_follower')} as "listsFollowers", ${isListed('not r.is_follower')} as "listsFollowing"`

interface ListQuery {
  params: { accountId: string } & PageParameters
  row: Severance
}

const listDescending = statement<ListQuery>(
  `select ${COLUMNS} from relationship_severance_events e where ${WHERE} ${KEYSET.descending}`,
)
const listAscending = statement<ListQuery>(
  `select ${COLUMNS} from relationship_severance_events e where ${WHERE} ${KEYSET.ascending}`,
)
const find = statement<{ params: { severanceId: string; accountId: string }; row: { id: string } }>(
  `select id from relationship_severance_events where id = $severanceId and account_id = $accountId`,
)
const readNext = statement<{
  params: { severanceId: string; isFollower: boolean; after: string }
  row: { handle: string; show_reblogs: boolean; notify: boolean; languages: string[] | null }
}>(
  `select handle, show_reblogs, notify, languages from severed_relationships
   where severance_id = $severanceId and is_follower = $isFollower and handle > $after
   order by handle limit ${BATCH_SIZE}`,
)

/** Returns a page of the severances of an account, newest first (Mastodon: GET /severed_relationships). */
export async function listSeverances(
  read: Pick<Read, 'db'>,
  { accountId, page }: { accountId: string; page: Page },
): Promise<Severance[]> {
  const params = { accountId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/**
 * Returns the parts of a CSV file with the handles of the followers, or of the followed accounts, that a user lost by a
 * severance. Follows have the columns of Mastodon's export of follows, so that the file can be imported.
 * @throws NotFoundError
 */
export async function exportSeveredFollows(
  read: Read,
  { accountId, severanceId, isFollower }: { accountId: string; severanceId: string; isFollower: boolean },
): Promise<AsyncGenerator<string>> {
  const [severance] = await find(read.db, { severanceId, accountId })
  if (!severance) throw new NotFoundError()
  return csvOf(read, { severanceId, isFollower })
}

async function* csvOf(
  read: Read,
  { severanceId, isFollower }: { severanceId: string; isFollower: boolean },
): AsyncGenerator<string> {
  yield writeCsv([
    isFollower ? ['Account address'] : ['Account address', 'Show boosts', 'Notify on new posts', 'Languages'],
  ])
  let after = ''
  for (;;) {
    const rows = await readNext(read.db, { severanceId, isFollower, after })
    const lines = rows.map(({ handle, show_reblogs: showReblogs, notify, languages }) =>
      isFollower ? [handle] : [handle, String(showReblogs), String(notify), languages?.join(', ') ?? ''],
    )
    if (lines.length > 0) yield writeCsv(lines)
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1)!.handle
  }
}
