import { cpuCostPerItem } from '../measure/apply-load.ts'
import { startChild } from '../setup/start-child.ts'
import type { Child } from '../setup/start-child.ts'
import { createAuthor, createFollowersOnce } from '../setup/create-crowds.ts'
import { issueTokens } from '../setup/issue-tokens.ts'
import type { EventLatencies, ListenerCommand } from '../setup/socket-listeners.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'

const SOCKETS = 1_000

/** The number of posts per window. */
const POSTS = { full: 20, quick: 5 }

/** The pause until the memory for opening the sockets has been collected. */
const SETTLE_MS = 3_000

/** Measures the time from the response to a post until a thousand followers with open sockets have its event. */
export function sockets(): Row {
  let token = ''
  let tokens: string[] = []
  let kilobytes: number | null = null
  return {
    name: 'post → event on 1,000 sockets',
    goals: [{ of: 'p99', atMost: 250 }],
    async prepare(stage) {
      const followerIds = (await createFollowersOnce(stage)).slice(0, SOCKETS)
      ;({ token } = await createAuthor(stage, { name: 'herald', followerIds }))
      tokens = await issueTokens(stage.db, { accountIds: followerIds, each: 1 })
      // Measured before other load, which leaves free memory in the heap.
      const empty = stage.readMemory().server
      await withSockets(stage, tokens, async () => {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
        kilobytes = ((stage.readMemory().server - empty) * 1024) / SOCKETS
      })
    },
    measure: (stage) =>
      withSockets(stage, tokens, async (child) => {
        const posts = POSTS[stage.pace.name]
        const received = child.receive<EventLatencies>()
        const before = stage.readCpu()
        child.send({ post: { port: stage.port, token, posts } } satisfies ListenerCommand)
        const { p50, p99, missing } = await received
        const cost = cpuCostPerItem({ before, after: stage.readCpu(), count: posts * SOCKETS })
        return { p50, p99, ...cost, failures: missing }
      }),
    facts: () =>
      kilobytes === null
        ? []
        : [{ name: 'memory of an idle socket (PSS)', value: `${kilobytes.toFixed(0)} kB of the server` }],
  }
}

async function withSockets<T>({ port }: BenchStage, tokens: string[], work: (child: Child) => Promise<T>): Promise<T> {
  const child = startChild('setup/socket-listeners.ts')
  try {
    const opened = child.receive()
    child.send({ open: { port, tokens } } satisfies ListenerCommand)
    await opened
    return await work(child)
  } finally {
    await child.end()
  }
}
