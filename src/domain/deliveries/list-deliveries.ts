import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** The delivery of an activity to an inbox. */
export interface DeliveryReport {
  /** The URI of the activity. */
  uri: string
  inboxUrl: string
  state: 'pending' | 'delivered' | 'rejected' | 'abandoned'
  attempts: number
  /** The HTTP status of the last response; null if there was none. */
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  attemptedAt: Date | null
  nextAttemptAt: Date
}

const columns = `a.uri, d.inbox_url as "inboxUrl", d.state, d.attempts, d.last_status as "lastStatus",
  d.last_error as "lastError", d.created_at as "createdAt", d.attempted_at as "attemptedAt", d.next_attempt_at as "nextAttemptAt"`

// The URIs of the Create and Delete of a status are its URI with a suffix. Deliveries of a deleted status are found by
// its id.
const selectByStatus = statement<{ params: { statusId: string | null; objectUri: string }; row: DeliveryReport }>(
  `select ${columns} from sent_activities a join deliveries d on d.activity_id = a.id
   where a.status_id = $statusId or a.uri = any(array[$objectUri, $objectUri || '/activity', $objectUri || '#delete'])
     or a.status_id = (select id from statuses where uri = $objectUri)
   order by a.id, d.state, d.inbox_url`,
)

/** Returns the deliveries about a status, given by its id, its URI or the URI of an activity, ordered by activity. */
export async function findDeliveriesOfStatus(read: Read, { about }: { about: string }): Promise<DeliveryReport[]> {
  return selectByStatus(read.db, { statusId: statusIdOf(read, about), objectUri: about })
}

function statusIdOf({ config }: Read, reference: string): string | null {
  const id = reference.startsWith(`${config.origin}/`) ? /\/(\d+)(\/activity)?$/.exec(reference)?.[1] : reference
  return isId(id) ? id : null
}

const selectUndelivered = statement<{ params: { domain: string; limit: number }; row: DeliveryReport }>(
  `select ${columns} from deliveries d join sent_activities a on a.id = d.activity_id
   where d.domain = $domain and d.state <> 'delivered' order by d.id desc limit $limit`,
)

/** Returns the pending, rejected and abandoned deliveries to a host, newest first. */
export async function listUndelivered(
  read: Read,
  { domain, limit }: { domain: string; limit: number },
): Promise<DeliveryReport[]> {
  return selectUndelivered(read.db, { domain, limit })
}
