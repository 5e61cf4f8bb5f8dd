import { measureLoad } from '../browser/measure-load.ts'
import type { PageLoad } from '../browser/measure-load.ts'
import { measureScrolling } from '../browser/measure-scrolling.ts'
import type { ScrolledTimeline } from '../browser/measure-scrolling.ts'
import { openContext } from '../browser/open-context.ts'
import { openBrowser } from '../../test/services/browser.ts'
import { median } from '../report/median.ts'
import type { Fact, Row } from '../measure/row.ts'

/** The number of page loads in a window. */
const LOADS = { full: 5, quick: 3 }

const STATUSES = 10_000

/** Measures the time to the first status of the home timeline, in a browser that has never been here, and again later. */
export function webClientLoads(): Row[] {
  return (['first visit', 'later visit'] as const).map((visit) => {
    const loads: PageLoad[] = []
    return {
      name: `web client, ${visit}: first status`,
      goals: [{ of: 'p50', atMost: 1_500 }],
      async measure(stage) {
        const browser = await openBrowser()
        try {
          const before = loads.length
          for (let n = 0; n < LOADS[stage.pace.name]; n += 1) {
            const context = await openContext(browser, stage, { accountId: stage.accountIds[n]! })
            if (visit === 'later visit') await measureLoad(await context.newPage())
            loads.push(await measureLoad(await context.newPage()))
            await context.close()
          }
          const times = loads.slice(before).map(({ firstStatusMs }) => firstStatusMs)
          return { p50: median(times), p99: Math.max(...times), failures: 0 }
        } finally {
          await browser.close()
        }
      },
      facts: () => (loads.length === 0 ? [] : describeLoads(visit, loads)),
    }
  })
}

function describeLoads(visit: string, loads: readonly PageLoad[]): Fact[] {
  const of = (key: keyof PageLoad) => median(loads.map((load) => load[key]))
  return [
    {
      name: `web client, ${visit}`,
      value:
        `${of('requests')} requests to the first status (goal ≤ 10), layout shift ${of('layoutShift').toFixed(3)} ` +
        `(goal ≤ 0.02), ${(of('scriptBytes') / 1024).toFixed(0)} KB of scripts (goal ≤ 180 KB)`,
    },
  ]
}

/** Measures what a timeline costs in the browser after the user has scrolled through ten thousand statuses. */
export function webClientScrolling(): Row {
  const timelines: ScrolledTimeline[] = []
  return {
    name: 'web client: ten thousand statuses, for each',
    async measure(stage) {
      const browser = await openBrowser()
      try {
        const context = await openContext(browser, stage, {
          accountId: stage.accountIds[0]!,
          serviceWorkers: 'block',
        })
        const start = performance.now()
        timelines.push(await measureScrolling(await context.newPage(), { count: STATUSES }))
        return { p50: (performance.now() - start) / STATUSES, failures: 0 }
      } finally {
        await browser.close()
      }
    },
    facts() {
      const of = (key: keyof ScrolledTimeline) => median(timelines.map((timeline) => timeline[key]))
      if (timelines.length === 0) return []
      return [
        {
          name: `web client, after ${of('statuses')} statuses`,
          value: `heap ${of('heapMb').toFixed(0)} MB (goal ≤ 120 MB), at most ${of('rows')} rows in the document (goal ≤ 60)`,
        },
      ]
    },
  }
}
