import { costOf } from '../apply-load.ts'
import { startChild } from '../child.ts'
import { createAuthor, gatherFans } from '../crowds.ts'
import { issueTokens } from '../issue-tokens.ts'
import type { Heard, ListenerOrder } from '../listeners.ts'
import type { Row } from '../row.ts'

const SOCKETS = 1_000

/** For one window. */
const POSTS = { full: 20, quick: 5 }

/** After this, what was needed to let them in has been thrown away, or never will be. */
const SETTLE_MS = 3_000

/** From the answer to a post until its event has come to each of a thousand followers with an open socket. */
export function sockets(): Row {
  let token = ''
  let tokens: string[] = []
  /** After earlier load there is room that is taken already, so the largest is nearest to the truth. */
  const kilobytes: number[] = []
  return {
    name: 'post → event on 1,000 sockets',
    goals: [{ of: 'p99', atMost: 250 }],
    async prepare(stage) {
      const followerIds = (await gatherFans(stage)).slice(0, SOCKETS)
      ;({ token } = await createAuthor(stage, { name: 'herald', followerIds }))
      tokens = await issueTokens(stage.db, { accountIds: followerIds, each: 1 })
    },
    async measure(stage) {
      const empty = stage.readMemory().server
      const child = startChild('listeners.ts')
      const tell = (order: ListenerOrder) => child.tell(order)
      try {
        const opened = child.hear()
        tell({ open: { port: stage.port, tokens } })
        await opened
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
        kilobytes.push(((stage.readMemory().server - empty) * 1024) / SOCKETS)
        const posts = POSTS[stage.pace.name]
        const heard = child.hear<Heard>()
        const before = stage.readCpu()
        tell({ post: { port: stage.port, token, posts } })
        const { p50, p99, missing } = await heard
        const cost = costOf({ before, after: stage.readCpu(), count: posts * SOCKETS })
        return { p50, p99, ...cost, failures: missing }
      } finally {
        await child.end()
      }
    },
    facts: () =>
      kilobytes.length === 0
        ? []
        : [{ name: 'memory of an idle socket (PSS)', value: `${Math.max(...kilobytes).toFixed(0)} kB of the server` }],
  }
}
