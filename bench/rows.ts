import type { Row } from './row.ts'
import { deliveries } from './rows/deliveries.ts'
import { fanOut } from './rows/fan-out.ts'
import { giantAudience, giantThread } from './rows/giants.ts'
import { storedFile } from './rows/files.ts'
import { inboxAccepted, inboxToFeeds } from './rows/inbox.ts'
import { listTimeline } from './rows/lists.ts'
import { pages, posts } from './rows/pages.ts'
import { restart } from './rows/restart.ts'
import { sockets } from './rows/sockets.ts'
import { trendingStatuses } from './rows/trends.ts'
import { uploads } from './rows/uploads.ts'

/** Every line of the table, in its order. */
export function listRows(): Row[] {
  return [
    ...pages(),
    listTimeline(),
    trendingStatuses(),
    storedFile(),
    posts(),
    ...uploads(),
    inboxAccepted(),
    inboxToFeeds(),
    fanOut(),
    sockets(),
    restart(),
    deliveries(),
    giantThread(),
    giantAudience(),
  ]
}
