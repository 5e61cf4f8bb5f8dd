import type { Page } from 'playwright-core'

/** How much slower the processor is, as on a phone of the middle class. */
const CPU_SLOWDOWN = 4

/** The time after the first status in which the page may still move. */
const SETTLE_MS = 2_000

/** What a user experiences while a page of the web client loads. */
export interface PageLoad {
  /** Milliseconds from the start of the navigation to the frame with the first status. */
  firstStatusMs: number
  /** The number of requests that began before that, with the document. */
  requests: number
  /** The cumulative layout shift until some time after that. */
  layoutShift: number
  /** The length of the scripts as they were sent, which is compressed; 0 if they came from a cache. */
  scriptBytes: number
}

/** Records, from the start of each document, when the first status is shown and how much the page moves. */
const RECORD = `
  globalThis.load = { layoutShift: 0 }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) load.layoutShift += value
  }).observe({ type: 'layout-shift', buffered: true })
  new MutationObserver((_records, observer) => {
    if (!document.querySelector('main article[data-status]')) return
    observer.disconnect()
    requestAnimationFrame(() => (load.firstStatusMs = performance.now()))
  }).observe(document, { childList: true, subtree: true })`

const READ = `(() => {
  const resources = performance.getEntriesByType('resource')
  return {
    ...load,
    requests: 1 + resources.filter(({ startTime }) => startTime < load.firstStatusMs).length,
    scriptBytes: resources
      .filter(({ name, transferSize }) => new URL(name).pathname.endsWith('.js') && transferSize > 0)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  }
})()`

/** Records the following loads of a page. */
export async function recordLoad(page: Page): Promise<void> {
  await page.addInitScript(RECORD)
}

/** Returns what was recorded until now, when the first status is shown. */
export async function readLoad(page: Page): Promise<PageLoad> {
  await page.waitForFunction(() => 'firstStatusMs' in (globalThis as unknown as { load: object }).load)
  return page.evaluate<PageLoad>(READ)
}

/** Loads the home timeline in a new page, with a slower processor. */
export async function measureLoad(page: Page): Promise<PageLoad> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await recordLoad(page)
  await page.goto('/home', { waitUntil: 'commit' })
  const before = await readLoad(page)
  await page.waitForTimeout(SETTLE_MS)
  return { ...(await page.evaluate<PageLoad>(READ)), scriptBytes: before.scriptBytes }
}
