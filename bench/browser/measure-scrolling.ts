import type { Page } from 'playwright-core'

/** What a timeline costs after the user has scrolled far down. */
export interface ScrolledTimeline {
  statuses: number
  /** The heap of scripts after a collection of garbage, in MB. */
  heapMb: number
  /** The most rows that were in the document at once. */
  rows: number
}

/** A timeline that shows no further status for so long has ended. */
const MAX_PAGE_MS = 30_000

/** The path of the requests that a scrolling user sends. */
const PAGES = '**/api/v1/timelines/public?**'

/**
 * Scrolls down a timeline until it has loaded `count` statuses. Its pages are the first one with other ids, so that the
 * rate limit of the server does not end the measurement.
 */
export async function measureScrolling(page: Page, { count }: { count: number }): Promise<ScrolledTimeline> {
  let template: Record<string, unknown>[] = []
  await page.route(PAGES, async (route) => {
    const maxId = new URL(route.request().url()).searchParams.get('max_id')
    if (maxId === null) {
      const response = await route.fetch()
      const body = (await response.json()) as typeof template
      if (template.length === 0) template = body
      return route.fulfill({ response })
    }
    const json = template.map((status, index) => ({ ...status, id: String(BigInt(maxId) - BigInt(index + 1)) }))
    return route.fulfill({ json })
  })
  await page.goto('/public')
  await page.locator('main article').first().waitFor()
  let rows = 0
  let last = 0
  let deadline = Date.now() + MAX_PAGE_MS
  while (last < count) {
    const state = await page.evaluate<{ rows: number; last: number }>(`new Promise((resolve) => {
      scrollTo(0, document.documentElement.scrollHeight)
      requestAnimationFrame(() => requestAnimationFrame(() => {
        const rows = [...document.querySelectorAll('main [data-row]')]
        resolve({ rows: rows.length, last: 1 + Number(rows.at(-1)?.dataset.index ?? -1) })
      }))
    })`)
    rows = Math.max(rows, state.rows)
    if (state.last > last) deadline = Date.now() + MAX_PAGE_MS
    else if (Date.now() > deadline) throw new Error(`The timeline ended after ${last} statuses`)
    last = Math.max(last, state.last)
  }
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return { statuses: last, heapMb: usedSize / 2 ** 20, rows }
}
