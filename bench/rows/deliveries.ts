import { sql } from 'kysely'
import { costOf } from '../apply-load.ts'
import { createAuthor, createStrangers } from '../crowds.ts'
import { SIGN } from '../limits.ts'
import { HOSTS } from '../open-sink.ts'
import { post } from '../post.ts'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'
import { waitFor } from '../wait.ts'

/** For one window. */
const POSTS = { full: 10, quick: 3 }

const TEXT = 'A post of usual length, with nothing in it that is special. '.repeat(4).trim()

/**
 * Somebody with a follower on each of a thousand hosts posts, until every host has everything. The hosts share this
 * machine with the server.
 */
export function deliveries(): Row {
  let token = ''
  return {
    name: 'deliveries to 1,000 hosts',
    goals: [{ of: 'share', atLeast: 0.6 }],
    limits: [SIGN],
    async prepare(stage) {
      const followers = await createStrangers(stage, { name: 'fan', count: HOSTS })
      ;({ token } = await createAuthor(stage, { name: 'sender', followerIds: followers.map(({ id }) => id) }))
      // The first makes the key and opens the connections.
      await deliver(stage, { token, posts: 1 })
    },
    async measure(stage) {
      const posts = POSTS[stage.pace.name]
      const before = stage.readCpu()
      const start = performance.now()
      await deliver(stage, { token, posts })
      const seconds = (performance.now() - start) / 1000
      const cost = costOf({ before, after: stage.readCpu(), count: posts * HOSTS })
      await sql`delete from sent_activities`.execute(stage.db)
      return { rate: (posts * HOSTS) / seconds, ...cost, failures: 0 }
    },
  }
}

async function deliver(stage: Stage, { token, posts }: { token: string; posts: number }): Promise<void> {
  const { sink, db } = stage
  const wanted = (await sink.countTaken()) + posts * HOSTS
  for (let n = 0; n < posts; n += 1) await post(stage, { token, text: TEXT })
  await waitFor('the deliveries', async () => (await sink.countTaken()) >= wanted)
  await waitFor('the notes of the deliveries', async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from deliveries where state = 'waiting') as waits`.execute(db)
    return !rows[0]!.waits
  })
}
