import { costOf } from '../apply-load.ts'
import { startChild } from '../child.ts'
import type { Child } from '../child.ts'
import { createAuthor, gatherFans } from '../crowds.ts'
import { issueTokens } from '../issue-tokens.ts'
import type { Heard, ListenerOrder } from '../listeners.ts'
import type { Row } from '../row.ts'
import type { Stage } from '../stage.ts'

const SOCKETS = 1_000

/** For one window. */
const POSTS = { full: 20, quick: 5 }

/** After this, what was needed to let them in has been thrown away, or never will be. */
const SETTLE_MS = 3_000

/** From the answer to a post until its event has come to each of a thousand followers with an open socket. */
export function sockets(): Row {
  let token = ''
  let tokens: string[] = []
  let kilobytes: number | null = null
  return {
    name: 'post → event on 1,000 sockets',
    goals: [{ of: 'p99', atMost: 250 }],
    async prepare(stage) {
      const followerIds = (await gatherFans(stage)).slice(0, SOCKETS)
      ;({ token } = await createAuthor(stage, { name: 'herald', followerIds }))
      tokens = await issueTokens(stage.db, { accountIds: followerIds, each: 1 })
      // Later there is room that earlier load has left.
      const empty = stage.readMemory().server
      await withSockets(stage, tokens, async () => {
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
        kilobytes = ((stage.readMemory().server - empty) * 1024) / SOCKETS
      })
    },
    measure: (stage) =>
      withSockets(stage, tokens, async (child) => {
        const posts = POSTS[stage.pace.name]
        const heard = child.hear<Heard>()
        const before = stage.readCpu()
        child.tell({ post: { port: stage.port, token, posts } } satisfies ListenerOrder)
        const { p50, p99, missing } = await heard
        const cost = costOf({ before, after: stage.readCpu(), count: posts * SOCKETS })
        return { p50, p99, ...cost, failures: missing }
      }),
    facts: () =>
      kilobytes === null
        ? []
        : [{ name: 'memory of an idle socket (PSS)', value: `${kilobytes.toFixed(0)} kB of the server` }],
  }
}

async function withSockets<T>({ port }: Stage, tokens: string[], work: (child: Child) => Promise<T>): Promise<T> {
  const child = startChild('listeners.ts')
  try {
    const opened = child.hear()
    child.tell({ open: { port, tokens } } satisfies ListenerOrder)
    await opened
    return await work(child)
  } finally {
    await child.end()
  }
}
