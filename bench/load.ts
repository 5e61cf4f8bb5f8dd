import { prepareActivities } from './load/activities.ts'
import { prepareCommits } from './load/commits.ts'
import { prepareRequests } from './load/requests.ts'
import { prepareSignatures } from './load/signatures.ts'
import { Window } from './load/window.ts'
import type { Hands, Order, Report, Work } from './load/work.ts'

// A process of its own, so that the load does not run where the server runs.

async function prepare(work: Work, window: Window): Promise<Hands> {
  switch (work.kind) {
    case 'requests':
      return prepareRequests(work, window)
    case 'commits':
      return prepareCommits(work, window)
    case 'signatures':
      return prepareSignatures(work, window)
    case 'activities':
      return prepareActivities(work, window)
  }
}

async function obey({ work, connections, warmUpMs, windowMs }: Order, tell: (report: Report) => void): Promise<void> {
  const window = new Window()
  const hands = await prepare(work, window)
  const isCounted = work.kind === 'activities'
  let over = false
  const begin = () => Promise.all(Array.from({ length: connections }, () => hands.run(() => over)))
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  // What is counted is gone after its window, and has none before.
  const warming = isCounted ? null : begin()
  if (warming) await Promise.race([warming, pause(warmUpMs)])
  window.open = true
  const start = performance.now()
  tell({ began: true })
  const running = warming ?? begin()
  await (isCounted ? running : Promise.race([running, pause(windowMs)]))
  const outcome = window.close(performance.now() - start)
  over = true
  // Whoever hears of the end may stop the server at once.
  await running
  tell({ ended: true, outcome })
}

process.on('message', (order: Order) => {
  obey(order, (report) => process.send?.(report)).catch((err: unknown) => {
    console.error(err)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())
