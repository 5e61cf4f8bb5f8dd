import { sql } from 'kysely'
import { Halt } from '../../src/cli/failure.ts'
import { applyLoad, costOf } from '../apply-load.ts'
import { createRemoteAuthors } from '../crowds.ts'
import { COMMITS, VERIFY } from '../limits.ts'
import type { Author } from '../load/work.ts'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'
import { waitFor, waitForJobs } from '../wait.ts'

const AUTHORS = 50
/** Of each author, here. */
const FOLLOWERS = 10

/** For one window. */
const ACTIVITIES = { full: 5_000, quick: 1_500 }

/** Gives the server a moment to meet the keys before the window. */
const WARM_UP = 200

interface Crowd {
  authors: Author[]
  accountIds: string[]
}

/**
 * Create(Note) by followed authors of other servers, signed, to the shared inbox: how many are taken in a second. The
 * server goes on with those that it has taken, as it does in life.
 */
export function inboxAccepted(): Row {
  let crowd: Crowd
  return {
    name: 'inbox: signed Create(Note), accepted',
    limits: [VERIFY, COMMITS],
    async prepare(stage) {
      crowd = await gather(stage, 'taken')
    },
    async measure(stage) {
      const { authors } = crowd
      const work = { kind: 'activities' as const, port: stage.port, authors, count: ACTIVITIES[stage.pace.name] }
      const sample = await applyLoad(stage, work)
      await waitForJobs(stage)
      return sample
    },
  }
}

/** The same until every follower has every post in their feed, and nothing is left to do. */
export function inboxToFeeds(): Row {
  let crowd: Crowd
  return {
    name: 'inbox: the same, through to feeds',
    async prepare(stage) {
      crowd = await gather(stage, 'read')
    },
    async measure(stage) {
      const { authors, accountIds } = crowd
      const count = ACTIVITIES[stage.pace.name]
      const earlier = await countEntries(stage, accountIds)
      let start = 0
      let before = stage.readCpu()
      const onBegin = () => {
        start = performance.now()
        before = stage.readCpu()
      }
      const { failures } = await applyLoad(stage, { kind: 'activities', port: stage.port, authors, count }, { onBegin })
      await waitForJobs(stage)
      const seconds = (performance.now() - start) / 1000
      const cost = costOf({ before, after: stage.readCpu(), count })
      const written = (await countEntries(stage, accountIds)) - earlier
      if (written !== count * FOLLOWERS) {
        throw new Halt(`${written} entries stand in the feeds after ${count} posts for ${FOLLOWERS} followers each`)
      }
      return { rate: count / seconds, ...cost, failures }
    },
  }
}

async function gather(stage: Stage, name: string): Promise<Crowd> {
  const crowd = await createRemoteAuthors(stage, { name, count: AUTHORS, followers: FOLLOWERS })
  const work = { kind: 'activities' as const, port: stage.port, authors: crowd.authors, count: WARM_UP }
  const { failures } = await applyLoad(stage, work)
  if (failures > 0) throw new Halt(`${failures} of ${WARM_UP} activities were refused`)
  await waitForJobs(stage)
  await waitFor('the first posts in the feeds', async () => (await countEntries(stage, crowd.accountIds)) > 0)
  return crowd
}

async function countEntries({ db }: Stage, authorIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from feed_entries e join statuses s on s.id = e.status_id
    where s.account_id = any(${authorIds}::bigint[])`.execute(db)
  return rows[0]!.count
}
