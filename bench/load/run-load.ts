import { prepareActivities } from './activities.ts'
import { prepareCommits } from './commits.ts'
import { prepareRequests } from './requests.ts'
import { prepareSignatures } from './signatures.ts'
import { MeasurementWindow } from './measurement-window.ts'
import type { PreparedWork, LoadCommand, Report, LoadWork } from './work.ts'

// The load runs in a process of its own, so that it does not use the processor time of the server.

async function prepareWork(work: LoadWork, window: MeasurementWindow): Promise<PreparedWork> {
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

async function execute(
  { work, connections, warmUpMs, windowMs }: LoadCommand,
  sendReport: (report: Report) => void,
): Promise<void> {
  const window = new MeasurementWindow()
  const preparedWork = await prepareWork(work, window)
  const isCounted = work.kind === 'activities'
  let over = false
  const begin = () => Promise.all(Array.from({ length: connections }, () => preparedWork.run(() => over)))
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  // A fixed number of activities is used up in its window, so it has no warm-up.
  const warming = isCounted ? null : begin()
  if (warming) await Promise.race([warming, pause(warmUpMs)])
  window.open = true
  const start = performance.now()
  sendReport({ began: true })
  const running = warming ?? begin()
  await (isCounted ? running : Promise.race([running, pause(windowMs)]))
  const outcome = window.close(performance.now() - start)
  over = true
  // The parent may stop the server as soon as it receives the report.
  await running
  sendReport({ ended: true, outcome })
}

process.on('message', (order: LoadCommand) => {
  execute(order, (report) => process.send?.(report)).catch((err: unknown) => {
    console.error(err)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit())
