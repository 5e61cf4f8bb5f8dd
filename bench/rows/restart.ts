import { startChild } from '../setup/start-child.ts'
import { createAuthor, createFollowersOnce } from '../setup/create-crowds.ts'
import { issueTokens } from '../setup/issue-tokens.ts'
import type { EventLatencies, ListenerCommand, ReconnectTimes } from '../setup/socket-listeners.ts'
import { memoryOf } from '../measure/process-stats.ts'
import type { Row } from '../measure/row.ts'

const SOCKETS = 10_000

interface Outcome {
  last: number
  start: number
  receivedBy: number
  memoryMb: number
}

/**
 * Measures the time from the kill of a web server until each of ten thousand sockets is open again, on a replacement
 * that starts at once. All sockets reconnect at the same time. Afterwards, all of them must receive a post.
 */
export function restart(): Row {
  let token = ''
  let tokens: string[] = []
  const outcomes: Outcome[] = []
  return {
    name: 'reconnection after a restart, 10,000 sockets',
    goals: [{ of: 'p99', atMost: 30_000 }],
    async prepare(stage) {
      const followerIds = (await createFollowersOnce(stage)).slice(0, SOCKETS)
      ;({ token } = await createAuthor(stage, { name: 'restarter', followerIds }))
      tokens = await issueTokens(stage.db, { accountIds: followerIds, each: 1 })
    },
    async measure(stage) {
      const port = stage.port + 2
      let server = await stage.startSecondary(port)
      const child = startChild('setup/socket-listeners.ts')
      try {
        const opened = child.receive()
        child.send({ open: { port, tokens, reconnects: true } } satisfies ListenerCommand)
        await opened
        const reconnected = child.receive<ReconnectTimes>()
        child.send({ await: 'reconnects' } satisfies ListenerCommand)
        await server.kill()
        server = await stage.startSecondary(port)
        const { p50, p99, last } = await reconnected
        const received = child.receive<EventLatencies>()
        child.send({ post: { port: stage.port, token, posts: 1 } } satisfies ListenerCommand)
        const { p99: receivedBy, missing } = await received
        outcomes.push({ last, start: server.ms, receivedBy, memoryMb: memoryOf(server.pid) })
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
                `the last has reconnected after ${seconds('last')} (of which the start takes ${seconds('start')}), ` +
                `all receive a post ${seconds('receivedBy')} after its response; the server uses ${worst('memoryMb').toFixed(0)} MB`,
            },
          ]
    },
  }
}
