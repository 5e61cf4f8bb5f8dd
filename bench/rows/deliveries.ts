import { sql } from 'kysely'
import { cpuCostPerItem } from '../measure/apply-load.ts'
import { createAuthor, createRemoteAccounts } from '../setup/create-crowds.ts'
import { SIGN } from '../measure/limits.ts'
import { HOSTS } from '../setup/open-sink.ts'
import { post } from '../setup/post-status.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { waitFor } from '../setup/wait-for.ts'

/** The number of posts per window. */
const POSTS = { full: 10, quick: 3 }

const TEXT = 'A post of average length without any special content. '.repeat(4).trim()

/**
 * Measures posts by an account with a follower on each of a thousand hosts, until all deliveries are recorded. The
 * hosts run on the same machine as the server.
 */
export function deliveries(): Row {
  let token = ''
  return {
    name: 'deliveries to 1,000 hosts',
    goals: [{ of: 'cpuShare', atLeast: 0.6 }],
    limits: [SIGN],
    async prepare(stage) {
      const followers = await createRemoteAccounts(stage, { name: 'fan', count: HOSTS })
      ;({ token } = await createAuthor(stage, { name: 'sender', followerIds: followers.map(({ id }) => id) }))
      // The first post generates the key and opens the connections.
      await deliver(stage, { token, posts: 1 })
    },
    async measure(stage) {
      const posts = POSTS[stage.pace.name]
      const before = stage.readCpu()
      const start = performance.now()
      await deliver(stage, { token, posts })
      const seconds = (performance.now() - start) / 1000
      const cost = cpuCostPerItem({ before, after: stage.readCpu(), count: posts * HOSTS })
      await sql`delete from sent_activities`.execute(stage.db)
      return { rate: (posts * HOSTS) / seconds, ...cost, failures: 0 }
    },
  }
}

async function deliver(stage: BenchStage, { token, posts }: { token: string; posts: number }): Promise<void> {
  const { sink, db } = stage
  const expected = (await sink.countReceived()) + posts * HOSTS
  for (let n = 0; n < posts; n += 1) await post(stage, { token, text: TEXT })
  await waitFor('the deliveries', async () => (await sink.countReceived()) >= expected)
  await waitFor('the results of the deliveries', async () => {
    const { rows } = await sql<{ pending: boolean }>`
      select exists (select from deliveries where state = 'pending') as pending`.execute(db)
    return !rows[0]!.pending
  })
}
