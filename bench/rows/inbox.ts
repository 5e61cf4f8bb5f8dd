import { sql } from 'kysely'
import { CommandError } from '../../src/cli/command-error.ts'
import { applyLoad, cpuCostPerItem } from '../measure/apply-load.ts'
import { createRemoteAuthors } from '../setup/create-crowds.ts'
import { COMMITS, VERIFY } from '../measure/limits.ts'
import type { Author } from '../load/work.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { waitFor, waitForJobs } from '../setup/wait-for.ts'

const AUTHORS = 50
/** The local followers of each author. */
const FOLLOWERS = 10

/** The number of activities per window. */
const ACTIVITIES = { full: 5_000, quick: 1_500 }
/** The same for a burst of half a minute. */
const BURST_ACTIVITIES = { full: 60_000, quick: 10_000 }

/** Activities before the first window, so that the server has cached the keys. */
const WARM_UP = 200

interface RemoteAuthors {
  authors: Author[]
  accountIds: string[]
}

/**
 * Measures how many signed Create(Note) of followed remote authors the shared inbox accepts per second. The server
 * processes the accepted activities at the same time, as in production.
 */
export function inboxAccepted(): Row {
  let remoteAuthors: RemoteAuthors
  return {
    name: 'inbox: signed Create(Note), accepted',
    limits: [VERIFY, COMMITS],
    async prepare(stage) {
      remoteAuthors = await createRemoteAuthorsOnce(stage, 'accepted')
    },
    async measure(stage) {
      const { authors } = remoteAuthors
      const work = { kind: 'activities' as const, port: stage.port, authors, count: ACTIVITIES[stage.pace.name] }
      const sample = await applyLoad(stage, work)
      await waitForJobs(stage)
      return sample
    },
  }
}

/** Measures the same for a burst that lasts so long that its activities wait, and how fast they are processed. */
export function inboxBurst(): Row {
  let remoteAuthors: RemoteAuthors
  const processedRates: number[] = []
  return {
    name: 'inbox: the same, for half a minute',
    async prepare(stage) {
      remoteAuthors = await createRemoteAuthorsOnce(stage, 'burst')
    },
    async measure(stage) {
      const { authors } = remoteAuthors
      const count = BURST_ACTIVITIES[stage.pace.name]
      let start = 0
      const onBegin = () => (start = performance.now())
      const sample = await applyLoad(stage, { kind: 'activities', port: stage.port, authors, count }, { onBegin })
      await waitForJobs(stage)
      processedRates.push((count * 1000) / (performance.now() - start))
      return sample
    },
    facts: () => [
      {
        name: 'inbox, for half a minute',
        value: `${Math.round(Math.min(...processedRates))} activities per second processed completely, at worst`,
      },
    ],
  }
}

/** Measures the first row until each post is in the feed of each follower and no job is left. */
export function inboxToFeeds(): Row {
  let remoteAuthors: RemoteAuthors
  return {
    name: 'inbox: the same, through to feeds',
    async prepare(stage) {
      remoteAuthors = await createRemoteAuthorsOnce(stage, 'read')
    },
    async measure(stage) {
      const { authors, accountIds } = remoteAuthors
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
      const cost = cpuCostPerItem({ before, after: stage.readCpu(), count })
      const written = (await countEntries(stage, accountIds)) - earlier
      if (written !== count * FOLLOWERS) {
        throw new CommandError(`The feeds have ${written} entries after ${count} posts for ${FOLLOWERS} followers each`)
      }
      return { rate: count / seconds, ...cost, failures }
    },
  }
}

async function createRemoteAuthorsOnce(stage: BenchStage, name: string): Promise<RemoteAuthors> {
  const remoteAuthors = await createRemoteAuthors(stage, { name, count: AUTHORS, followers: FOLLOWERS })
  const work = { kind: 'activities' as const, port: stage.port, authors: remoteAuthors.authors, count: WARM_UP }
  const { failures } = await applyLoad(stage, work)
  if (failures > 0) throw new CommandError(`${failures} of ${WARM_UP} activities were rejected`)
  await waitForJobs(stage)
  await waitFor('the first posts in the feeds', async () => (await countEntries(stage, remoteAuthors.accountIds)) > 0)
  return remoteAuthors
}

async function countEntries({ db }: BenchStage, authorIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from feed_entries e join statuses s on s.id = e.status_id
    where s.account_id = any(${authorIds}::bigint[])`.execute(db)
  return rows[0]!.count
}
