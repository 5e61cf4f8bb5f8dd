import { startChild } from '../child.ts'
import { createAuthor, gatherFans } from '../crowds.ts'
import { issueTokens } from '../issue-tokens.ts'
import type { Heard, ListenerOrder, Returned } from '../listeners.ts'
import { memoryOf } from '../processes.ts'
import type { Row } from '../row.ts'

const SOCKETS = 10_000

interface Outcome {
  last: number
  start: number
  heardBy: number
  memoryMb: number
}

/**
 * From the moment at which a web server is killed until each of ten thousand sockets is open again, at one that is
 * started at once. All of them try at the same time. Then something is posted that all of them have to hear.
 */
export function restart(): Row {
  let token = ''
  let tokens: string[] = []
  const outcomes: Outcome[] = []
  return {
    name: 'back after a restart, 10,000 sockets',
    goals: [{ of: 'p99', atMost: 30_000 }],
    async prepare(stage) {
      const followerIds = (await gatherFans(stage)).slice(0, SOCKETS)
      ;({ token } = await createAuthor(stage, { name: 'keeper', followerIds }))
      tokens = await issueTokens(stage.db, { accountIds: followerIds, each: 1 })
    },
    async measure(stage) {
      const port = stage.port + 2
      let server = await stage.startBeside(port)
      const child = startChild('listeners.ts')
      try {
        const opened = child.hear()
        child.tell({ open: { port, tokens, comeBack: true } } satisfies ListenerOrder)
        await opened
        const returned = child.hear<Returned>()
        child.tell({ await: 'return' } satisfies ListenerOrder)
        await server.kill()
        server = await stage.startBeside(port)
        const { p50, p99, last } = await returned
        const heard = child.hear<Heard>()
        child.tell({ post: { port: stage.port, token, posts: 1 } } satisfies ListenerOrder)
        const { p99: heardBy, missing } = await heard
        outcomes.push({ last, start: server.ms, heardBy, memoryMb: memoryOf(server.pid) })
        return { p50, p99, failures: missing }
      } finally {
        await child.end()
        await server.stop()
      }
    },
    facts: () => {
      const worst = (of: keyof Outcome) => Math.max(...outcomes.map((one) => one[of]))
      const seconds = (of: keyof Outcome) => `${(worst(of) / 1000).toFixed(1)} s`
      return outcomes.length === 0
        ? []
        : [
            {
              name: '10,000 sockets after a restart, at worst',
              value:
                `the last is back after ${seconds('last')} (of which the start takes ${seconds('start')}), ` +
                `has heard of a post ${seconds('heardBy')} after its answer; the server has ${worst('memoryMb').toFixed(0)} MB`,
            },
          ]
    },
  }
}
