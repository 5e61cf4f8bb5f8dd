import type { Row } from './measure/row.ts'
import {
  adminAccounts,
  adminDimensions,
  adminMeasures,
  adminRetention,
  domainSuspension,
} from './rows/administration.ts'
import { deliveries } from './rows/deliveries.ts'
import { fanOut } from './rows/fan-out.ts'
import { largeAudience, largeThread } from './rows/large-threads-and-audiences.ts'
import { storedFile } from './rows/stored-files.ts'
import { inboxAccepted, inboxBurst, inboxToFeeds } from './rows/inbox.ts'
import { listTimeline } from './rows/lists.ts'
import { pages, posts } from './rows/pages.ts'
import { readsDuringWrites } from './rows/reads-during-writes.ts'
import { restart } from './rows/restart.ts'
import { sockets } from './rows/sockets.ts'
import { trendingStatuses } from './rows/trends.ts'
import { uploads } from './rows/uploads.ts'
import { webClientLoads, webClientScrolling } from './rows/web-client.ts'

/** Returns the rows of the table, in order. */
export function listRows(): Row[] {
  return [
    ...pages(),
    listTimeline(),
    trendingStatuses(),
    storedFile(),
    ...webClientLoads(),
    webClientScrolling(),
    posts(),
    ...readsDuringWrites(),
    ...uploads(),
    inboxAccepted(),
    inboxBurst(),
    inboxToFeeds(),
    fanOut(),
    sockets(),
    restart(),
    deliveries(),
    largeThread(),
    largeAudience(),
    adminAccounts(),
    adminMeasures(),
    adminDimensions(),
    adminRetention(),
    domainSuspension(),
  ]
}
