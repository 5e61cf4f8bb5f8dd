import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** One activity on its way to one inbox. */
export interface DeliveryReport {
  /** Of the activity. */
  uri: string
  inboxUrl: string
  state: 'waiting' | 'delivered' | 'refused' | 'given_up'
  attempts: number
  /** The last answer's code; null when there was none. */
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  triedAt: Date | null
  nextTryAt: Date
}

const columns = `a.uri, d.inbox_url as "inboxUrl", d.state, d.attempts, d.last_status as "lastStatus",
  d.last_error as "lastError", d.created_at as "createdAt", d.tried_at as "triedAt", d.next_try_at as "nextTryAt"`

// A deed has the address of what it is about, and something behind it. What is gone is still known by its number.
const findAbout = statement<{ params: { statusId: string | null; about: string }; row: DeliveryReport }>(
  `select ${columns} from sent_activities a join deliveries d on d.activity_id = a.id
   where a.status_id = $statusId or a.uri = any(array[$about, $about || '/activity', $about || '#delete'])
     or a.status_id = (select id from statuses where uri = $about)
   order by a.id, d.state, d.inbox_url`,
)

/** What was sent about a status, by its id, its address or that of an activity; each activity in turn. */
export async function findDeliveriesAbout(read: Read, { about }: { about: string }): Promise<DeliveryReport[]> {
  return findAbout(read.db, { statusId: idOf(read, about), about })
}

function idOf({ config }: Read, about: string): string | null {
  const name = about.startsWith(`${config.origin}/`) ? /\/(\d+)(\/activity)?$/.exec(about)?.[1] : about
  return isId(name) ? name : null
}

const findTroubled = statement<{ params: { domain: string; limit: number }; row: DeliveryReport }>(
  `select ${columns} from deliveries d join sent_activities a on a.id = d.activity_id
   where d.domain = $domain and d.state <> 'delivered' order by d.id desc limit $limit`,
)

/** What a host did not get, or not yet, newest first. */
export async function listTroubledDeliveries(
  read: Read,
  { domain, limit }: { domain: string; limit: number },
): Promise<DeliveryReport[]> {
  return findTroubled(read.db, { domain, limit })
}
