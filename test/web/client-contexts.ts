import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { SharedBrowser } from '../services/browser.ts'

interface ContextPool {
  /** Opens a page without cookies and without data of the origin. Closing its context returns it to the pool. */
  openPage(options: BrowserContextOptions): Promise<Page>
}

/**
 * Returns browser contexts that clients use one after the other. In a new context, the browser loads and compiles the
 * client, which takes half of the processor time of a short test. Here, loaded and compiled files remain.
 */
export function createContextPool({
  browser,
  origin,
  onError,
}: {
  browser: SharedBrowser
  origin: string
  onError: (error: Error) => void
}): ContextPool {
  const free = new Map<string, BrowserContext[]>()

  return {
    async openPage(options) {
      const key = JSON.stringify(options)
      const reused = free.get(key)?.pop()
      if (reused) return openEmptyPage(reused, origin)
      const context = await browser.newContext({ ...options, baseURL: origin })
      context.on('weberror', (event) => onError(event.error()))
      // The state of service workers is not reset.
      if (options.serviceWorkers === 'block') {
        context.close = async () => {
          await reset(context)
          free.set(key, [...(free.get(key) ?? []), context])
        }
      }
      return context.newPage()
    },
  }
}

async function reset(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.close()
  await context.unrouteAll()
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
}

async function openEmptyPage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage' })
  await session.detach()
  return page
}
